import { convexQuery } from "@convex-dev/react-query";
import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { functions } from "#contract/functions.ts";
import { VerificationLanding } from "../features/accounts/verification-landing.tsx";
import { verificationOutcome } from "../features/accounts/verification-outcome.ts";
import { AccountFrame } from "../frame/account-frame.tsx";
import { ErrorPage } from "../frame/error-pages.tsx";
import { parseVerificationSearch } from "../session/account-search.ts";

const userQuery = convexQuery(functions.users.current, {});

/** Without a guard: both signed-in users and visitors open the link. */
export const Route = createFileRoute("/verify-email")({
  validateSearch: parseVerificationSearch,
  head: ({ match }) => ({ meta: [{ title: `Verify email · ${match.context.productName}` }] }),
  loader: async ({ context: { queryClient } }) => {
    await queryClient.ensureQueryData(userQuery);
  },
  errorComponent: ErrorPage,
  component: VerifyEmail,
});

function VerifyEmail() {
  const { productName } = Route.useRouteContext();
  const { data: user } = useSuspenseQuery(userQuery);
  return (
    <AccountFrame productName={productName}>
      <VerificationLanding
        outcome={verificationOutcome(Route.useSearch(), user)}
        isSignedIn={user !== null}
      />
    </AccountFrame>
  );
}
