import { createFileRoute, Outlet } from "@tanstack/react-router";
import { SiteFrame } from "../frame/site-frame.tsx";

export const Route = createFileRoute("/_public")({ component: Public });

function Public() {
  const { productName, userId } = Route.useRouteContext();
  return (
    <SiteFrame productName={productName} signedIn={userId !== null}>
      <Outlet />
    </SiteFrame>
  );
}
