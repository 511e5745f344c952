import * as Radix from "radix-ui/tabs";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

export const Tabs = Radix.Root;
export const TabsContent = Radix.Content;

/** Underlined tabs, for panels. */
export function TabsList({ className, ...rest }: ComponentProps<typeof Radix.List>) {
  return (
    <Radix.List
      className={classNames("flex items-stretch gap-1 overflow-x-auto border-b", className)}
      {...rest}
    />
  );
}

export function TabsTrigger({ className, ...rest }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      className={classNames(
        "-mb-px inline-flex h-9 items-center gap-1.5 whitespace-nowrap border-b-2 border-transparent px-2.5 text-xs font-medium text-muted transition-colors hover:text-text focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-text",
        className,
      )}
      {...rest}
    />
  );
}
