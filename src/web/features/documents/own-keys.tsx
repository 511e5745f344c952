import { SelectField } from "../../ui/select-field.tsx";
import { convexQuery } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { functions } from "#contract/functions.ts";

interface OwnKeysProps {
  readonly apiKey: string;
  readonly onChoose: (apiKey: string) => void;
}

/** Lets the signed-in user fill the API key field with one of their own keys. */
export function OwnKeys({ apiKey, onChoose }: OwnKeysProps) {
  const { data } = useQuery(convexQuery(functions.apiKeys.list, {}));
  const keys = data?.keys.filter(({ readable }) => readable) ?? [];
  if (keys.length === 0) return null;
  const isOwn = keys.some((key) => key.apiKey === apiKey);
  return (
    <SelectField
      label="Your keys"
      value={isOwn ? apiKey : ""}
      options={[
        { value: "", label: "Another key" },
        ...keys.map((key) => ({ value: key.apiKey, label: key.name })),
      ]}
      onChange={onChoose}
    />
  );
}
