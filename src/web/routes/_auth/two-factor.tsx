import { createFileRoute } from "@tanstack/react-router";
import { TwoFactorForm } from "../../features/accounts/two-factor-form.tsx";
import { parseReturnSearch } from "../../session/account-search.ts";

export const Route = createFileRoute("/_auth/two-factor")({
  validateSearch: parseReturnSearch,
  head: ({ match }) => ({
    meta: [{ title: `Two-factor sign-in · ${match.context.productName}` }],
  }),
  component: TwoFactor,
});

function TwoFactor() {
  return <TwoFactorForm redirect={Route.useSearch().redirect} />;
}
