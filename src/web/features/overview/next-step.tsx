import { Link } from "@tanstack/react-router";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import type { CurrentUser } from "#contract/users.ts";
import { formatCoinAmounts } from "../../format/money.ts";
import { useSite } from "../../session/site.ts";
import { buttonClass } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { PracticeFundsButton } from "./practice-funds.tsx";

interface NextStepProps {
  readonly user: CurrentUser;
  readonly hasFunds: boolean;
  readonly hasOrdered: boolean;
}

/** Suggests the next step to a new user; renders nothing once the first order was placed. */
export function NextStep({ user, hasFunds, hasOrdered }: NextStepProps) {
  const { offers } = useSite();
  if (hasOrdered) return null;
  // Nothing is given where everything is paid in.
  const isFunded = user.practiceFunds.length === 0;
  const asksForEmail = offers.emailVerification && !user.emailVerified;
  return (
    <section
      aria-labelledby="next-step"
      className="mb-4 rounded-lg border border-accent/40 bg-accent-soft px-4 py-3.5"
    >
      <h2 id="next-step" className="text-sm font-semibold">
        Get started
      </h2>
      <ol className="mt-3 grid gap-x-6 gap-y-4 sm:grid-flow-col sm:auto-cols-fr">
        <Step
          number={1}
          isDone={hasFunds}
          title={isFunded ? "Make your first deposit" : "Take practice funds"}
          text={
            isFunded
              ? "Announce a payment; it is credited once it has arrived."
              : `${formatCoinAmounts(user.practiceFunds)} at no cost, and the same again every day.`
          }
        >
          {isFunded ? (
            <Link to="/transfers" className={buttonClass({ variant: "primary" })}>
              Deposit
            </Link>
          ) : (
            <PracticeFundsButton user={user} variant="primary" />
          )}
        </Step>
        <Step
          number={2}
          title="Place your first order"
          text="A limit order rests at your price, a market order fills at once."
        >
          <Link
            to="/trade"
            className={buttonClass({ variant: hasFunds ? "primary" : "secondary" })}
          >
            Open trade
          </Link>
        </Step>
        {asksForEmail ? (
          <Step
            number={3}
            title="Verify your email"
            text="So that you can get back into your account. It may wait."
          >
            <Link to="/settings" hash="email" className={buttonClass()}>
              Verify
            </Link>
          </Step>
        ) : null}
      </ol>
    </section>
  );
}

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly text: string;
  /** Hides the text and the control for the step. */
  readonly isDone?: boolean;
  readonly children: ReactNode;
}

function Step({ number, title, text, isDone = false, children }: StepProps) {
  return (
    <li className="flex gap-3">
      <span
        aria-hidden
        className={classNames(
          "figures grid size-6 shrink-0 place-items-center rounded-full border text-xs",
          isDone ? "border-buy/40 text-buy" : "border-accent/40 text-accent",
        )}
      >
        {isDone ? <Check className="size-3.5" /> : number}
      </span>
      <div className="min-w-0">
        <h3 className="text-sm/6 font-medium">
          {title}
          {isDone ? <span className="sr-only"> (done)</span> : null}
        </h3>
        {isDone ? null : (
          <>
            <p className="text-xs text-pretty text-muted">{text}</p>
            <div className="mt-2.5">{children}</div>
          </>
        )}
      </div>
    </li>
  );
}
