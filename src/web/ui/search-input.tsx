import { Search } from "lucide-react";
import { classNames } from "./class-names.ts";
import { Input } from "./input.tsx";

interface SearchInputProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The input's accessible name and placeholder. */
  readonly label: string;
  readonly className?: string;
}

export function SearchInput({ value, onChange, label, className }: SearchInputProps) {
  return (
    <Input
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      leading={<Search className="size-4" aria-hidden />}
      className={classNames("[&_input::-webkit-search-cancel-button]:hidden", className)}
    />
  );
}
