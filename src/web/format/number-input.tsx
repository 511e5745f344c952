import {
  type ChangeEvent,
  type KeyboardEvent,
  useCallback,
  useLayoutEffect,
  useReducer,
  useRef,
} from "react";
import { classNames } from "../ui/class-names.ts";
import { Input, type InputProps } from "../ui/input.tsx";
import { type NumberStep, stepNumber } from "./typed-number.ts";
import { editNumber, groupTypedDigits } from "./typing.ts";

const BIG_STEP = 10;

interface NumberInputProps extends Omit<
  InputProps,
  "value" | "onChange" | "onKeyDown" | "type" | "ref" | "step"
> {
  /** The number as typed, without grouping. */
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Step of the arrow keys; ten times as much with Shift. */
  readonly step?: NumberStep;
}

/** An input for a number; its digits are grouped while typing. */
export function NumberInput({ value, onChange, step, className, ...rest }: NumberInputProps) {
  const box = useRef<HTMLInputElement>(null);
  const selection = useRef<{ start: number; end: number } | null>(null);
  const caret = useRef<number | null>(null);
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  const shown = groupTypedDigits(value);
  const watch = useCallback((element: HTMLInputElement | null) => {
    box.current = element;
    if (element === null) return undefined;
    // The selection that an edit replaces can be read only before the edit.
    const remember = () => {
      const { selectionStart, selectionEnd } = element;
      selection.current =
        selectionStart === null || selectionEnd === null
          ? null
          : { start: selectionStart, end: selectionEnd };
    };
    element.addEventListener("beforeinput", remember);
    return () => element.removeEventListener("beforeinput", remember);
  }, []);
  useLayoutEffect(() => {
    if (caret.current === null) return;
    box.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });
  const edit = (event: ChangeEvent<HTMLInputElement>) => {
    const { value: after, selectionStart } = event.currentTarget;
    const inputType = event.nativeEvent instanceof InputEvent ? event.nativeEvent.inputType : "";
    const edited = editNumber({
      before: shown,
      selection: inputType.startsWith("history") ? null : selection.current,
      after,
      caret: selectionStart ?? after.length,
      isDeletion: inputType.startsWith("delete"),
      isForward: inputType.endsWith("Forward"),
    });
    selection.current = null;
    caret.current = edited.caret;
    onChange(edited.text);
    // Rerender even if the text is the same: the browser has moved the caret.
    rerender();
  };
  const stepByKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (step === undefined || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    event.preventDefault();
    const steps = event.shiftKey ? BIG_STEP : 1;
    const next = stepNumber(value, event.key === "ArrowUp" ? steps : -steps, step);
    if (next !== null) onChange(next);
  };
  return (
    <Input
      inputMode="decimal"
      autoComplete="off"
      {...rest}
      ref={watch}
      value={shown}
      onChange={edit}
      onKeyDown={stepByKey}
      className={classNames("figures text-right", className)}
    />
  );
}
