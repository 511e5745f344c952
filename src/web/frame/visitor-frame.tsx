import { convexQuery } from "@convex-dev/react-query";
import { useSuspenseQuery } from "@tanstack/react-query";
import { functions } from "#contract/functions.ts";
import { SignInLink } from "../session/sign-in-link.tsx";
import { useSite } from "../session/site.ts";
import { buttonClass } from "../ui/button.tsx";
import { VisitorBottomNavigation, VisitorTopNavigation } from "./navigation.tsx";
import { PageShell } from "./page-shell.tsx";

const venueQuery = convexQuery(functions.venue.info, {});

/** The bars around the exchange's pages for visitors, with links to sign in. */
export function VisitorFrame() {
  const { data: venue } = useSuspenseQuery(venueQuery);
  const { offers } = useSite();
  return (
    <PageShell
      home="/"
      venue={venue}
      topNavigation={<VisitorTopNavigation />}
      bottomNavigation={<VisitorBottomNavigation offersSignUp={offers.signUp} />}
      aside={
        <div className="flex gap-2 max-md:hidden">
          <SignInLink to="/login" className={buttonClass({ size: "sm", variant: "ghost" })}>
            Sign in
          </SignInLink>
          {offers.signUp ? (
            <SignInLink to="/signup" className={buttonClass({ size: "sm", variant: "primary" })}>
              Sign up
            </SignInLink>
          ) : null}
        </div>
      }
    />
  );
}
