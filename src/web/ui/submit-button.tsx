import { Button, type ButtonProps } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { useIsHydrated } from "./use-is-hydrated.ts";

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
  const isHydrated = useIsHydrated();
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
