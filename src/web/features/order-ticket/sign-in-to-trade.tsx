import { SignInLink } from "../../session/sign-in-link.tsx";
import { useSite } from "../../session/site.ts";
import { buttonClass } from "../../ui/button.tsx";

/** Replaces the submit button for visitors. The entries are kept while they sign in. */
export function SignInToTrade() {
  const { offers } = useSite();
  return (
    <div className="grid gap-2">
      {/* Without a submit button, Enter in a field does not submit the form. */}
      <button type="submit" hidden>
        Sign in to trade
      </button>
      <SignInLink
        to="/login"
        data-entrance
        className={buttonClass({ variant: "primary", size: "lg", className: "w-full" })}
      >
        Sign in to trade
      </SignInLink>
      {offers.signUp ? (
        <SignInLink to="/signup" className={buttonClass({ className: "w-full" })}>
          Create account
        </SignInLink>
      ) : null}
      <p className="text-center text-xs text-muted">Your order stays as you entered it.</p>
    </div>
  );
}
