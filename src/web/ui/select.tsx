import { Check, ChevronDown } from "lucide-react";
import * as Radix from "radix-ui/select";
import { classNames } from "./class-names.ts";
import type { FieldControlProps } from "./field.tsx";
import { inputClass } from "./input.tsx";

export interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

interface SelectProps<Value extends string> extends Partial<FieldControlProps> {
  readonly value: Value;
  readonly options: readonly SelectOption<Value>[];
  readonly onChange: (value: Value) => void;
  readonly "aria-label"?: string;
  readonly disabled?: boolean;
  readonly className?: string;
}

/** A select for one of a few fixed values. */
export function Select<Value extends string>({
  value,
  options,
  onChange,
  className,
  disabled = false,
  ...control
}: SelectProps<Value>) {
  return (
    <Radix.Root
      value={value}
      disabled={disabled}
      onValueChange={(next) => {
        const option = options.find((candidate) => candidate.value === next);
        if (option !== undefined) onChange(option.value);
      }}
    >
      <Radix.Trigger
        className={classNames(inputClass, "flex items-center justify-between gap-2", className)}
        {...control}
      >
        <Radix.Value />
        <Radix.Icon>
          <ChevronDown className="size-4 text-faint" aria-hidden />
        </Radix.Icon>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          className="z-50 min-w-[var(--radix-select-trigger-width)] overflow-hidden rounded-md border border-line-strong bg-raised p-1 shadow-xl"
        >
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                className="flex h-8 cursor-pointer select-none items-center justify-between gap-4 rounded-sm px-2 text-sm text-muted outline-none data-[highlighted]:bg-hover data-[highlighted]:text-text data-[state=checked]:text-text"
              >
                <Radix.ItemText>{option.label}</Radix.ItemText>
                <Radix.ItemIndicator>
                  <Check className="size-4 text-accent" aria-hidden />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
