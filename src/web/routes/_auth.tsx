import { createFileRoute, Outlet, redirect } from "@tanstack/react-router";
import { AccountFrame } from "../frame/account-frame.tsx";
import { ErrorPage } from "../frame/error-pages.tsx";
import { redirectFromAuth } from "../session/guards.ts";
import { carriedToken } from "../session/one-time-token.ts";

export const Route = createFileRoute("/_auth")({
  beforeLoad: ({ context, location }) => {
    const to = redirectFromAuth(context.userId);
    if (to !== null) throw redirect({ to, search: carriedToken(location.href) });
  },
  errorComponent: ErrorPage,
  component: Auth,
});

function Auth() {
  const { productName } = Route.useRouteContext();
  return (
    <AccountFrame productName={productName}>
      <Outlet />
    </AccountFrame>
  );
}
