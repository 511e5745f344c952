import { createFileRoute } from "@tanstack/react-router";
import { ForgotPasswordForm } from "../../features/accounts/password-reset-forms.tsx";

export const Route = createFileRoute("/_auth/forgot-password")({
  head: ({ match }) => ({ meta: [{ title: `Reset password · ${match.context.productName}` }] }),
  component: ForgotPasswordForm,
});
