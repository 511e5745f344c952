import { ListOrdered } from "lucide-react";
import { SignInLink } from "../../../session/sign-in-link.tsx";
import { buttonClass } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";

/** Shown to visitors instead of orders and balances. */
export function VisitorPanels() {
  return (
    <section aria-label="Orders and balances" className="grid h-full place-items-center">
      <EmptyState
        icon={ListOrdered}
        title="Your orders and balances appear here"
        text="Sign in to trade in this market and to follow your orders."
        action={
          <SignInLink to="/login" className={buttonClass({ size: "sm" })}>
            Sign in
          </SignInLink>
        }
      />
    </section>
  );
}
