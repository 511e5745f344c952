import { EntranceLink } from "../../session/entrance-link.tsx";
import { useSite } from "../../session/site.ts";
import { buttonClass } from "../../ui/button.tsx";

/** In a visitor's ticket instead of its button. What is entered is still there afterwards. */
export function SignInToTrade() {
  const { offers } = useSite();
  return (
    <div className="grid gap-2">
      {/* Without one the Enter key in a field sends nothing. */}
      <button type="submit" hidden>
        Sign in to trade
      </button>
      <EntranceLink
        to="/login"
        data-entrance
        className={buttonClass({ variant: "primary", size: "lg", className: "w-full" })}
      >
        Sign in to trade
      </EntranceLink>
      {offers.signUp ? (
        <EntranceLink to="/signup" className={buttonClass({ className: "w-full" })}>
          Create account
        </EntranceLink>
      ) : null}
      <p className="text-center text-xs text-muted">Your order stays as you entered it.</p>
    </div>
  );
}
