import type { ConvexQueryClient } from "@convex-dev/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { CurrentUser } from "#contract/types.ts";
import { SimulatedBadge } from "../ui/badge.tsx";
import { ConnectionBanner, ConnectionIndicator } from "./connection-state.tsx";
import { LazyToaster } from "./lazy-toaster.tsx";
import { BottomNavigation, TopNavigation } from "./navigation.tsx";
import { SkipLink } from "./skip-link.tsx";
import { UserMenu } from "./user-menu.tsx";
import { Wordmark } from "./wordmark.tsx";

interface AppFrameProps {
  readonly backend: ConvexQueryClient;
  readonly productName: string;
  readonly user: CurrentUser;
  readonly simulated: boolean;
  readonly children: ReactNode;
}

/**
 * Navigation around the pages of signed-in people. `--frame-height` is what it leaves of the screen,
 * for pages that fill it exactly.
 */
export function AppFrame({ backend, productName, user, simulated, children }: AppFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col [--frame-height:calc(100dvh-6.5rem-env(safe-area-inset-bottom))] md:[--frame-height:calc(100dvh-3rem)]">
      <SkipLink />
      <header className="sticky top-0 z-30 flex h-12 shrink-0 items-center gap-4 border-b bg-surface px-3 sm:px-4">
        <Link
          to="/dashboard"
          aria-label={`${productName}, dashboard`}
          className="flex min-w-0 rounded-sm"
        >
          <Wordmark name={productName} />
        </Link>
        <TopNavigation />
        <div className="ml-auto flex shrink-0 items-center gap-3">
          {simulated ? <SimulatedBadge /> : null}
          <ConnectionIndicator backend={backend} />
          <UserMenu user={user} />
        </div>
      </header>
      <ConnectionBanner backend={backend} />
      <main
        id="main"
        tabIndex={-1}
        className="flex min-w-0 flex-1 flex-col pb-[calc(3.5rem+env(safe-area-inset-bottom))] outline-none md:pb-0"
      >
        {children}
      </main>
      <BottomNavigation />
      <LazyToaster />
    </div>
  );
}
