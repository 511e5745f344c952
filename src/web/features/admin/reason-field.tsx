import { TextField } from "../../ui/text-field.tsx";
import { useState } from "react";

const REASON_LENGTH_MAX = 200;

interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** States who will read the reason. */
  readonly hint: string;
  /** Whether the form was submitted without a reason. */
  readonly isMissing: boolean;
}

/** The reason for an administrator's action. */
export function ReasonField({ value, onChange, hint, isMissing }: ReasonFieldProps) {
  return (
    <TextField
      label="Reason"
      hint={hint}
      error={isMissing ? "Say why" : undefined}
      value={value}
      maxLength={REASON_LENGTH_MAX}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The state of a form that asks for a reason. */
export function useReasonForm() {
  const [text, setText] = useState("");
  const [isTried, setIsTried] = useState(false);
  const reason = text.trim();
  return {
    /** "" while there is none. */
    reason,
    reasonField: { value: text, onChange: setText, isMissing: isTried && reason === "" },
    /** Whether the form was submitted, so that fields show their errors. */
    isTried,
    markTried: () => setIsTried(true),
  };
}
