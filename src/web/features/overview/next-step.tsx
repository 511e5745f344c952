import { Link } from "@tanstack/react-router";
import type { CurrentUser } from "#contract/users.ts";
import { formatCoinAmounts } from "../../format/money.ts";
import { buttonClass } from "../../ui/button.tsx";
import { PracticeFundsButton } from "./practice-funds.tsx";

interface NextStepProps {
  readonly user: CurrentUser;
  readonly hasFunds: boolean;
  readonly hasOrdered: boolean;
}

/** Tells a new user what to do; renders nothing once the first order was placed. */
export function NextStep({ user, hasFunds, hasOrdered }: NextStepProps) {
  if (hasOrdered) return null;
  // Nothing is given where everything is paid in.
  const isFunded = user.practiceFunds.length === 0;
  return (
    <section
      aria-labelledby="next-step"
      className="mb-4 flex flex-wrap items-center justify-between gap-4 rounded-lg border border-accent/40 bg-accent-soft px-4 py-3.5"
    >
      <div>
        <h2 id="next-step" className="text-sm font-semibold">
          {hasFunds
            ? "Place your first order"
            : isFunded
              ? "Make your first deposit"
              : "Take practice funds"}
        </h2>
        <p className="mt-0.5 text-xs text-muted">
          {hasFunds
            ? "A limit order rests at your price, a market order fills at once."
            : isFunded
              ? "Announce a payment; it is credited once it has arrived."
              : `${formatCoinAmounts(user.practiceFunds)} at no cost, and the same again every day.`}
        </p>
      </div>
      {hasFunds ? (
        <Link to="/trade" className={buttonClass({ variant: "primary" })}>
          Open trade
        </Link>
      ) : isFunded ? (
        <Link to="/transfers" className={buttonClass({ variant: "primary" })}>
          Deposit
        </Link>
      ) : (
        <PracticeFundsButton user={user} variant="primary" />
      )}
    </section>
  );
}
