import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { useEnteredBeforeHydration } from "./entered-before-hydration.ts";
import type { SelectOption } from "./select.tsx";

interface PlainSelectProps<Value extends string> extends Omit<
  ComponentProps<"select">,
  "value" | "onChange"
> {
  readonly value: Value;
  readonly options: readonly SelectOption<Value>[];
  readonly onChange: (value: Value) => void;
}

/** The browser's own select, for pages where download size and keyboard use matter most. */
export function PlainSelect<Value extends string>({
  value,
  options,
  onChange,
  className,
  ref,
  ...rest
}: PlainSelectProps<Value>) {
  const ownRef = useEnteredBeforeHydration(ref);
  return (
    <span className="relative inline-flex min-w-0">
      <select
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.currentTarget.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
        className={classNames(
          "w-full min-w-0 appearance-none truncate rounded-md border border-transparent bg-transparent pl-2 pr-6 text-xs text-text hover:bg-hover [&>option]:bg-raised",
          className,
        )}
        {...rest}
        ref={ownRef}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute right-1.5 top-1/2 size-3.5 -translate-y-1/2 text-faint"
      />
    </span>
  );
}
