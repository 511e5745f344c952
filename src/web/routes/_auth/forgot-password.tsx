import { createFileRoute } from "@tanstack/react-router";
import { ForgotPasswordForm } from "../../features/accounts/forgot-password-form.tsx";
import { parseEmail } from "../../session/account-search.ts";

export const Route = createFileRoute("/_auth/forgot-password")({
  validateSearch: (search: Record<string, unknown>): { email?: string | undefined } => ({
    email: parseEmail(search),
  }),
  head: ({ match }) => ({ meta: [{ title: `Reset password · ${match.context.productName}` }] }),
  component: ForgotPassword,
});

function ForgotPassword() {
  return <ForgotPasswordForm email={Route.useSearch().email} />;
}
