import { convexQuery } from "@convex-dev/react-query";
import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { functions } from "#contract/functions.ts";
import { DeleteSection } from "../../features/settings/delete-section.tsx";
import { EmailSection } from "../../features/settings/email-section.tsx";
import { PasswordSection } from "../../features/settings/password-section.tsx";
import { PlanSection } from "../../features/settings/plan-section.tsx";
import { ProfileSection } from "../../features/settings/profile-section.tsx";
import { SessionsSection } from "../../features/settings/sessions-section.tsx";
import { Page } from "../../frame/page.tsx";
import { PageSkeleton } from "../../ui/page-skeleton.tsx";
import { Panel } from "../../ui/panel.tsx";

const userQuery = convexQuery(functions.users.current, {});

export const Route = createFileRoute("/_app/settings")({
  head: () => ({ meta: [{ title: "Settings" }] }),
  loader: async ({ context: { queryClient } }) => {
    await queryClient.ensureQueryData(userQuery);
  },
  pendingComponent: PageSkeleton,
  component: SettingsPage,
});

function SettingsPage() {
  const { data: user } = useSuspenseQuery(userQuery);
  if (user === null) return null;
  return (
    <Page title="Settings" narrow>
      <Panel>
        <ProfileSection user={user} />
        <EmailSection user={user} />
        <PasswordSection />
        <SessionsSection />
        <PlanSection plan={user.plan} />
        <DeleteSection />
      </Panel>
    </Page>
  );
}
