import type { FieldControlProps } from "../../../ui/field.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";

interface NetworksControlProps {
  readonly control: FieldControlProps;
  /** The networks as JSON. */
  readonly text: string;
  readonly onChange: (text: string) => void;
}

interface Network {
  readonly code: string;
  readonly name: string;
  readonly deposits: boolean;
  readonly withdrawals: boolean;
}

const WAYS = [
  { way: "deposits", label: "Deposits" },
  { way: "withdrawals", label: "Withdrawals" },
] as const;

/**
 * Opens and closes deposits and withdrawals by a coin's networks; the server refuses to open a closed
 * network.
 */
export function NetworksControl({ control, text, onChange }: NetworksControlProps) {
  const networks = text === "" ? [] : (JSON.parse(text) as Network[]);
  return (
    <fieldset {...control} aria-label="Open" tabIndex={-1} className="grid gap-2">
      {networks.map((network, index) => (
        <div key={network.code} className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <span className="min-w-32 text-sm">{network.name}</span>
          {WAYS.map(({ way, label }) => (
            <Checkbox
              key={way}
              label={label}
              checked={network[way]}
              aria-label={`${label} by ${network.name}`}
              onChange={({ currentTarget }) => {
                const changed = { ...network, [way]: currentTarget.checked };
                onChange(JSON.stringify(networks.with(index, changed)));
              }}
            />
          ))}
        </div>
      ))}
    </fieldset>
  );
}
