import { useState } from "react";
import { numberText } from "../../../format/typed-number.ts";
import { groupTypedDigits } from "../../../format/typing.ts";
import { classNames } from "../../../ui/class-names.ts";
import { inputClass } from "../../../ui/input.tsx";
import { isParameter } from "./indicator-names.ts";

interface ParameterInputProps {
  readonly label: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

/** An input of an indicator's parameter, which applies every valid value at once. */
export function ParameterInput({ label, value, onChange }: ParameterInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const isInvalid = typed !== null && !isParameter(Number(numberText(typed)));
  return (
    <input
      aria-label={label}
      title={label}
      inputMode="decimal"
      aria-invalid={isInvalid}
      value={typed ?? groupTypedDigits(String(value))}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        const text = numberText(currentTarget.value);
        if (text !== "" && isParameter(Number(text))) onChange(Number(text));
      }}
      onBlur={() => setTyped(null)}
      className={classNames(inputClass, "figures h-7! w-11! px-1! text-center text-xs!")}
    />
  );
}
