import { useId, type ReactNode } from "react";
import { classNames } from "./class-names.ts";

/** Props that `Field` passes to its control, which must spread them onto its element. */
export interface FieldControlProps {
  readonly id: string;
  readonly "aria-invalid": true | undefined;
  readonly "aria-describedby": string | undefined;
}

export interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** Content at the right end of the label's line. */
  readonly aside?: ReactNode;
  readonly className?: string;
  readonly children: (control: FieldControlProps) => ReactNode;
}

/** A form field: label, control, hint and error, associated for screen readers. */
export function Field({ label, hint, error, aside, className, children }: FieldProps) {
  const id = useId();
  const described = error !== undefined || hint !== undefined ? `${id}-text` : undefined;
  return (
    <div className={classNames("grid content-start gap-1.5", className)}>
      <div className="flex items-baseline justify-between gap-2">
        <label htmlFor={id} className="text-xs font-medium text-muted">
          {label}
        </label>
        {aside === undefined ? null : <div className="text-xs text-muted">{aside}</div>}
      </div>
      {children({
        id,
        "aria-invalid": error === undefined ? undefined : true,
        "aria-describedby": described,
      })}
      {error !== undefined ? (
        <p id={`${id}-text`} role="alert" className="text-xs text-sell">
          {error}
        </p>
      ) : hint !== undefined ? (
        <p id={`${id}-text`} className="text-xs text-faint">
          {hint}
        </p>
      ) : null}
    </div>
  );
}
