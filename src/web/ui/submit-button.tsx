import { Button, type ButtonProps } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { useIsTakenOver } from "./use-is-taken-over.ts";

type SubmitButtonProps = Pick<
  ButtonProps,
  "variant" | "className" | "busy" | "disabled" | "children"
>;

/** A form's submit button. It works once the page is hydrated, but never looks disabled before. */
export function SubmitButton({
  variant = "primary",
  className,
  disabled = false,
  ...rest
}: SubmitButtonProps) {
  const isHydrated = useIsTakenOver();
  return (
    <Button
      {...rest}
      type="submit"
      variant={variant}
      disabled={disabled || !isHydrated}
      className={classNames(className, !isHydrated && !disabled && "disabled:opacity-100")}
    />
  );
}
