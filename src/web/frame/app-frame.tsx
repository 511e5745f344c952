import { convexQuery } from "@convex-dev/react-query";
import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, Outlet, useRouteContext } from "@tanstack/react-router";
import { functions } from "#contract/functions.ts";
import type { CurrentUser } from "#contract/types.ts";
import { SimulatedBadge } from "../ui/badge.tsx";
import { classNames } from "../ui/class-names.ts";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { PanelBoundary } from "../ui/panel-boundary.tsx";
import { ConnectionBanner, ConnectionIndicator } from "./connection-state.tsx";
import { NotFoundPage } from "./error-pages.tsx";
import { LazyToaster } from "./lazy-toaster.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import { useIsStale } from "../session/connection.ts";
import { BottomNavigation, TopNavigation } from "./navigation.tsx";
import { SkipLink } from "./skip-link.tsx";
import { UserMenu } from "./user-menu.tsx";
import { Wordmark } from "./wordmark.tsx";

const userQuery = convexQuery(functions.users.current, {});
const venueQuery = convexQuery(functions.venue.info, {});

/** Administrators alone need it; its place is kept while it comes. */
const ImpersonationBanner = lazyComponent(
  () => import("./impersonation-banner.tsx"),
  <div className="h-9 shrink-0 border-b border-warn/40 bg-warn-soft" />,
);

interface AppFrameProps {
  /** Whether its pages exist for this user, whose role may change meanwhile. */
  readonly isFor?: (user: CurrentUser) => boolean;
}

/**
 * Navigation around the pages of signed-in people. `--frame-height` is what it leaves of the screen,
 * for pages that fill it exactly. What it shows comes from {@link loadFrame}.
 */
export function AppFrame(props: AppFrameProps) {
  return (
    <>
      <Frame {...props} />
      <LeaveGuard />
    </>
  );
}

function Frame({ isFor }: AppFrameProps) {
  const { productName, impersonation } = useRouteContext({ from: "__root__" });
  const { data: user } = useSuspenseQuery(userQuery);
  const { data: venue } = useSuspenseQuery(venueQuery);
  const isStale = useIsStale();
  // The session ended while the page was open: the guard is on its way to /login.
  if (user === null) return null;
  if (isFor?.(user) === false) return <NotFoundPage />;
  const isImpersonated = impersonation !== null;
  return (
    <div
      data-stale={isStale || undefined}
      data-impersonated={isImpersonated || undefined}
      className={classNames(
        "flex min-h-dvh flex-col [--frame-height:calc(100dvh-6.5rem-var(--banner)-var(--notice)-env(safe-area-inset-bottom))] [--notice:0rem] data-stale:[--notice:2rem] md:[--frame-height:calc(100dvh-3rem-var(--banner)-var(--notice))]",
        isImpersonated ? "[--banner:2.25rem]" : "[--banner:0rem]",
      )}
    >
      <SkipLink />
      <header className="sticky top-0 z-30 flex h-12 shrink-0 items-center gap-4 border-b bg-surface px-3 sm:px-4">
        <Link
          to="/dashboard"
          aria-label={`${productName}, dashboard`}
          className="flex min-w-0 rounded-sm"
        >
          <Wordmark name={productName} />
        </Link>
        <TopNavigation isAdmin={user.role === "admin"} />
        <div className="ml-auto flex shrink-0 items-center gap-3">
          {venue.simulated ? <SimulatedBadge /> : null}
          <ConnectionIndicator />
          <UserMenu user={user} isImpersonated={isImpersonated} />
        </div>
      </header>
      {isImpersonated ? (
        <PanelBoundary className="h-9 flex-row border-b">
          <ImpersonationBanner impersonation={impersonation} user={user} />
        </PanelBoundary>
      ) : null}
      <ConnectionBanner />
      <main
        id="main"
        tabIndex={-1}
        className="flex min-w-0 flex-1 flex-col pb-[calc(3.5rem+env(safe-area-inset-bottom))] outline-none md:pb-0"
      >
        <Outlet />
      </main>
      <BottomNavigation />
      <LazyToaster />
    </div>
  );
}
