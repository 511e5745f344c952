import { createFileRoute } from "@tanstack/react-router";
import { ResetPasswordForm } from "../features/accounts/reset-password-form.tsx";
import { AccountFrame } from "../frame/account-frame.tsx";

/** Not among the sign-in pages, whose guard redirects signed-in users: a reset link must work for them too. */
export const Route = createFileRoute("/reset-password")({
  validateSearch: (search: Record<string, unknown>): { token?: string | undefined } => ({
    token: typeof search["token"] === "string" ? search["token"] : undefined,
  }),
  head: ({ match }) => ({ meta: [{ title: `Reset password · ${match.context.productName}` }] }),
  component: ResetPassword,
});

function ResetPassword() {
  const { productName } = Route.useRouteContext();
  const { token } = Route.useSearch();
  return (
    <AccountFrame productName={productName}>
      <ResetPasswordForm token={token} />
    </AccountFrame>
  );
}
