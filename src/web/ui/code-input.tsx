import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { inputClass } from "./input.tsx";
import { useEnteredBeforeHydration } from "./entered-before-hydration.ts";

const CODE_LENGTH = 6;

interface CodeInputProps extends Omit<
  ComponentProps<"input">,
  "value" | "onChange" | "type" | "maxLength"
> {
  readonly value: string;
  readonly onChange: (code: string) => void;
  /** Called when the last digit has been typed or pasted. */
  readonly onComplete: (code: string) => void;
}

/**
 * An input for the six digits of an authenticator code; spaces and dashes in pasted text are
 * dropped.
 */
export function CodeInput({
  value,
  onChange,
  onComplete,
  className,
  ref,
  ...rest
}: CodeInputProps) {
  const ownRef = useEnteredBeforeHydration(ref);
  return (
    <input
      {...rest}
      ref={ownRef}
      type="text"
      inputMode="numeric"
      autoComplete="one-time-code"
      placeholder="······"
      spellCheck={false}
      value={value}
      onChange={({ target }) => {
        const code = target.value.replaceAll(/\D/g, "").slice(0, CODE_LENGTH);
        onChange(code);
        if (code.length === CODE_LENGTH && code !== value) onComplete(code);
      }}
      className={classNames(
        inputClass,
        "h-12 text-center font-mono text-xl tracking-[0.4em] tabular sm:text-xl",
        className,
      )}
    />
  );
}
