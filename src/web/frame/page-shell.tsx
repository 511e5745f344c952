import { Link, Outlet, useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { VenueInfo } from "#contract/types.ts";
import { useIsStale } from "../session/connection.ts";
import { FundsBadge, SimulatedBadge } from "../ui/badge.tsx";
import { classNames } from "../ui/class-names.ts";
import { ConnectionBanner, ConnectionIndicator } from "./connection-state.tsx";
import { LazyToaster } from "./lazy-toaster.tsx";
import { PaletteLauncher } from "./palette-launcher.tsx";
import { SkipLink } from "./skip-link.tsx";
import { Wordmark } from "./wordmark.tsx";

interface PageShellProps {
  /** Link target of the exchange's name in the top bar. */
  readonly home: "/" | "/dashboard";
  readonly venue: Pick<VenueInfo, "funds" | "simulated">;
  readonly topNavigation: ReactNode;
  readonly bottomNavigation: ReactNode;
  /** Content at the right end of the top bar. */
  readonly aside: ReactNode;
  /** Banner below the top bar, 2.25rem high; null for none. */
  readonly banner?: ReactNode;
}

/**
 * The bars around the pages of the exchange. `--frame-height` is the height they leave free, for
 * pages that fill the screen exactly.
 */
export function PageShell({
  home,
  venue,
  topNavigation,
  bottomNavigation,
  aside,
  banner = null,
}: PageShellProps) {
  const { productName } = useRouteContext({ from: "__root__" });
  const isStale = useIsStale();
  return (
    <div
      data-stale={isStale || undefined}
      data-impersonated={banner !== null || undefined}
      className={classNames(
        "flex min-h-dvh flex-col [--frame-height:calc(100dvh-6.5rem-var(--banner)-env(safe-area-inset-bottom))] md:[--frame-height:calc(100dvh-3rem-var(--banner))]",
        banner === null ? "[--banner:0rem]" : "[--banner:2.25rem]",
      )}
    >
      <SkipLink />
      <header className="sticky top-0 z-30 flex h-12 shrink-0 items-center gap-2 border-b bg-surface px-3 sm:gap-4 sm:px-4">
        <Link
          to={home}
          aria-label={home === "/" ? productName : `${productName}, dashboard`}
          className="touchable flex min-w-0 rounded-sm"
        >
          <Wordmark name={productName} />
        </Link>
        {topNavigation}
        <div className="ml-auto flex shrink-0 items-center gap-1.5 sm:gap-3">
          {/* First, so that its text, which changes while the page connects, shifts nothing to its right. */}
          <ConnectionIndicator />
          {venue.simulated ? <SimulatedBadge /> : null}
          <FundsBadge funds={venue.funds} isSimulated={venue.simulated} />
          <PaletteLauncher isImpersonated={banner !== null} />
          {aside}
        </div>
      </header>
      {banner}
      <ConnectionBanner />
      <main
        id="main"
        tabIndex={-1}
        className="flex min-w-0 flex-1 flex-col pb-[calc(3.5rem+env(safe-area-inset-bottom))] outline-none md:pb-0"
      >
        <Outlet />
      </main>
      {bottomNavigation}
      <LazyToaster />
    </div>
  );
}
