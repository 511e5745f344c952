import { convexQuery } from "@convex-dev/react-query";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { functions } from "#contract/functions.ts";
import type { CurrentUser } from "#contract/users.ts";
import { usePreferences } from "../format/preferences.ts";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { PanelBoundary } from "../ui/panel-boundary.tsx";
import { LeaveGuard } from "./leave-guard.tsx";
import { BottomNavigation, TopNavigation } from "./navigation.tsx";
import { NotFound } from "./not-found.ts";
import { NoticeBell } from "./notices/notice-bell.tsx";
import { PageShell } from "./page-shell.tsx";
import { UserMenu } from "./user-menu.tsx";

const userQuery = convexQuery(functions.users.current, {});
const venueQuery = convexQuery(functions.venue.info, {});

/** Only administrators who view as another user need the banner; its space is reserved while it loads. */
const ImpersonationBanner = lazyComponent(
  () => import("./impersonation-banner.tsx"),
  <div className="h-9 shrink-0 border-b border-warn/40 bg-warn-soft" />,
);

/** Loaded only if sounds are on, which they are not by default. */
const FillSound = lazyComponent(() => import("./fill-sound.tsx"));

interface AppFrameProps {
  /** Whether the pages in this frame exist for a user; the role may change while they are open. */
  readonly isFor?: (user: CurrentUser) => boolean;
}

/** Navigation around the pages of signed-in users. Its data is loaded by {@link loadFrame}. */
export function AppFrame(props: AppFrameProps) {
  const { sounds } = usePreferences();
  return (
    <>
      <Frame {...props} />
      <LeaveGuard />
      {sounds ? (
        <PanelBoundary className="hidden">
          <FillSound />
        </PanelBoundary>
      ) : null}
    </>
  );
}

function Frame({ isFor }: AppFrameProps) {
  const { impersonation } = useRouteContext({ from: "__root__" });
  const { data: user } = useSuspenseQuery(userQuery);
  const { data: venue } = useSuspenseQuery(venueQuery);
  // The session ended while the page was open: the guard is redirecting to /login.
  if (user === null) return null;
  if (isFor?.(user) === false) return <NotFound />;
  return (
    <PageShell
      home="/dashboard"
      venue={venue}
      topNavigation={<TopNavigation isAdmin={user.role === "admin"} />}
      bottomNavigation={<BottomNavigation />}
      aside={
        <div className="flex items-center gap-1">
          <NoticeBell />
          <UserMenu user={user} isImpersonated={impersonation !== null} />
        </div>
      }
      banner={
        impersonation === null ? null : (
          <PanelBoundary className="h-9 flex-row border-b">
            <ImpersonationBanner impersonation={impersonation} user={user} />
          </PanelBoundary>
        )
      }
    />
  );
}
