import { convexQuery } from "@convex-dev/react-query";
import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Outlet, redirect } from "@tanstack/react-router";
import { functions } from "#contract/functions.ts";
import { AppFrame } from "../frame/app-frame.tsx";
import { ErrorPage } from "../frame/error-pages.tsx";
import { redirectFromApp } from "../session/guards.ts";

const userQuery = convexQuery(functions.users.current, {});
const venueQuery = convexQuery(functions.venue.info, {});

export const Route = createFileRoute("/_app")({
  beforeLoad: ({ context }) => {
    const to = redirectFromApp(context.userId);
    if (to !== null) throw redirect({ to });
  },
  loader: async ({ context: { queryClient } }) => {
    await Promise.all([
      queryClient.ensureQueryData(userQuery),
      queryClient.ensureQueryData(venueQuery),
    ]);
  },
  errorComponent: ErrorPage,
  component: App,
});

function App() {
  const { backend, productName } = Route.useRouteContext();
  const { data: user } = useSuspenseQuery(userQuery);
  const { data: venue } = useSuspenseQuery(venueQuery);
  // The session ended while the page was open: the guard is on its way to /login.
  if (user === null) return null;
  return (
    <AppFrame backend={backend} productName={productName} user={user} simulated={venue.simulated}>
      <Outlet />
    </AppFrame>
  );
}
