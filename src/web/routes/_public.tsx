import { convexQuery } from "@convex-dev/react-query";
import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Outlet } from "@tanstack/react-router";
import { functions } from "#contract/functions.ts";
import { SiteFrame } from "../frame/site-frame.tsx";
import { ErrorPage } from "../frame/error-pages.tsx";

const venueQuery = convexQuery(functions.venue.info, {});

export const Route = createFileRoute("/_public")({
  loader: async ({ context: { queryClient } }) => {
    await queryClient.ensureQueryData(venueQuery);
  },
  errorComponent: ErrorPage,
  component: Public,
});

function Public() {
  const { productName, userId } = Route.useRouteContext();
  const { data: venue } = useSuspenseQuery(venueQuery);
  return (
    <SiteFrame
      venue={venue}
      productName={productName}
      entrance={userId === null ? "signIn" : "dashboard"}
    >
      <Outlet />
    </SiteFrame>
  );
}
