import * as Radix from "radix-ui/dropdown-menu";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

export const Menu = Radix.Root;
export const MenuTrigger = Radix.Trigger;

export function MenuContent({ className, ...rest }: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Portal>
      <Radix.Content
        align="end"
        sideOffset={6}
        className={classNames(
          "z-50 min-w-48 rounded-md border border-line-strong bg-raised p-1 shadow-xl",
          className,
        )}
        {...rest}
      />
    </Radix.Portal>
  );
}

export function MenuItem({ className, ...rest }: ComponentProps<typeof Radix.Item>) {
  return (
    <Radix.Item
      className={classNames(
        "flex h-8 cursor-pointer select-none items-center gap-2 rounded-sm px-2 text-sm text-muted outline-none data-[highlighted]:bg-hover data-[highlighted]:text-text",
        className,
      )}
      {...rest}
    />
  );
}

export function MenuLabel({ className, ...rest }: ComponentProps<typeof Radix.Label>) {
  return <Radix.Label className={classNames("px-2 py-1.5", className)} {...rest} />;
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line-strong" />;
}
