import { convexQuery } from "@convex-dev/react-query";
import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { functions } from "#contract/functions.ts";
import { SignupForm } from "../../features/accounts/signup-form.tsx";
import { parseSignupSearch } from "../../session/account-search.ts";

const venueQuery = convexQuery(functions.venue.info, {});

export const Route = createFileRoute("/_auth/signup")({
  validateSearch: parseSignupSearch,
  head: ({ match }) => ({ meta: [{ title: `Sign up · ${match.context.productName}` }] }),
  loader: async ({ context }) => {
    await context.queryClient.ensureQueryData(venueQuery);
  },
  component: Signup,
});

function Signup() {
  const { data: venue } = useSuspenseQuery(venueQuery);
  return <SignupForm {...Route.useSearch()} simulated={venue.simulated} />;
}
