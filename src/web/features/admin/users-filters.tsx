import { SearchInput } from "../../ui/search-input.tsx";
import { Select } from "../../ui/select.tsx";
import { useTypedText } from "../../ui/use-typed-text.ts";
import type { UsersSearch } from "./users-search.ts";

const ROLES = [
  { value: "all", label: "Every role" },
  { value: "admin", label: "Admins" },
  { value: "user", label: "Users" },
] as const;

const STATES = [
  { value: "all", label: "Every state" },
  { value: "active", label: "Active" },
  { value: "banned", label: "Banned" },
] as const;

interface UsersFiltersProps {
  readonly search: UsersSearch;
  /** Receives only the changed parameters; the list then returns to its first page. */
  readonly onChange: (change: UsersSearch) => void;
}

export function UsersFilters({ search, onChange }: UsersFiltersProps) {
  const [text, setText] = useTypedText(search.search ?? "", (typed) => onChange({ search: typed }));
  return (
    <search className="grid grid-cols-2 gap-3 border-b p-3 sm:flex sm:flex-wrap">
      <SearchInput
        label="Search names and emails"
        value={text}
        onChange={setText}
        className="max-sm:col-span-2 sm:w-72"
      />
      <Select
        aria-label="Role"
        className="sm:w-36"
        value={search.role ?? "all"}
        options={ROLES}
        onChange={(role) => onChange({ role: role === "all" ? undefined : role })}
      />
      <Select
        aria-label="State"
        className="sm:w-36"
        value={search.state ?? "all"}
        options={STATES}
        onChange={(state) => onChange({ state: state === "all" ? undefined : state })}
      />
    </search>
  );
}
