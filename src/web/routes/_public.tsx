import { createFileRoute, Outlet } from "@tanstack/react-router";
import { SiteFrame } from "../frame/site-frame.tsx";
import { ErrorPage } from "../frame/error-pages.tsx";

export const Route = createFileRoute("/_public")({
  errorComponent: ErrorPage,
  component: Public,
});

function Public() {
  const { productName, userId } = Route.useRouteContext();
  return (
    <SiteFrame productName={productName} entrance={userId === null ? "signIn" : "dashboard"}>
      <Outlet />
    </SiteFrame>
  );
}
