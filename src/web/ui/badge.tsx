import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";

const badgeClass = cva(
  "inline-flex items-center gap-1 whitespace-nowrap rounded-sm border px-1.5 text-2xs font-medium",
  {
    variants: {
      tone: {
        neutral: "border-line-strong bg-raised text-muted",
        accent: "border-accent/40 bg-accent-soft text-accent",
        buy: "border-buy/40 bg-buy-soft text-buy",
        sell: "border-sell/40 bg-sell-soft text-sell",
        warn: "border-warn/40 bg-warn-soft text-warn",
        simulated: "border-warn/30 text-warn",
      },
    },
    defaultVariants: { tone: "neutral" },
  },
);

export function Badge({
  tone,
  className,
  ...rest
}: ComponentProps<"span"> & VariantProps<typeof badgeClass>) {
  return <span className={classNames(badgeClass({ tone }), className)} {...rest} />;
}

/**
 * Shows on every page whether users can deposit and withdraw money; a simulated market trades practice
 * money.
 */
export function FundsBadge({ funds, isSimulated }: FundsBadgeProps) {
  if (isSimulated && funds === "practice") return null;
  return (
    <Badge tone={funds === "practice" ? "simulated" : "accent"} className="tracking-wide">
      {FUNDS_TEXTS[funds]}
    </Badge>
  );
}

interface FundsBadgeProps {
  readonly funds: keyof typeof FUNDS_TEXTS;
  readonly isSimulated: boolean;
}

const FUNDS_TEXTS = { practice: "PRACTICE", funded: "FUNDED", both: "FUNDED, PRACTICE" } as const;

/** Shown wherever prices or participants are simulated. */
export function SimulatedBadge({ className }: { readonly className?: string }) {
  return (
    <Badge tone="simulated" className={classNames("tracking-wide", className)}>
      SIMULATED
    </Badge>
  );
}
