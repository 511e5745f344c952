import { createFileRoute } from "@tanstack/react-router";
import { LoginForm } from "../../features/accounts/login-form.tsx";
import { parseLoginSearch } from "../../session/account-search.ts";

export const Route = createFileRoute("/_auth/login")({
  validateSearch: parseLoginSearch,
  head: ({ match }) => ({ meta: [{ title: `Sign in · ${match.context.productName}` }] }),
  component: Login,
});

function Login() {
  return <LoginForm {...Route.useSearch()} />;
}
