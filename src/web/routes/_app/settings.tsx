import { convexQuery } from "@convex-dev/react-query";
import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { functions } from "#contract/functions.ts";
import { ApiKeysSection } from "../../features/settings/api-keys/api-keys-section.tsx";
import { DeleteSection } from "../../features/settings/delete-section.tsx";
import { EmailSection } from "../../features/settings/email-section.tsx";
import { FreshSessionProvider } from "../../features/settings/fresh-session.tsx";
import {
  LinkedAccountsSection,
  type LinkSearch,
} from "../../features/settings/linked-accounts-section.tsx";
import { NotificationsSection } from "../../features/settings/notifications-section.tsx";
import { OwnDataSection } from "../../features/settings/own-data-section.tsx";
import { PasskeysSection } from "../../features/settings/passkeys-section.tsx";
import { PasswordSection } from "../../features/settings/password-section.tsx";
import { loadPlanFacts } from "../../features/settings/load-plan-facts.ts";
import { PlanSection } from "../../features/settings/plan-section.tsx";
import { PreferencesSection } from "../../features/settings/preferences-section.tsx";
import { ProfileSection } from "../../features/settings/profile-section.tsx";
import { SessionsSection } from "../../features/settings/sessions-section.tsx";
import { SettingsNavigation } from "../../features/settings/settings-navigation.tsx";
import { SignInHistorySection } from "../../features/settings/sign-in-history-section.tsx";
import { TwoFactorSection } from "../../features/settings/two-factor-section.tsx";
import { Page } from "../../frame/page.tsx";
import { READ_ONLY_SENTENCE, useIsReadOnly } from "../../session/read-only.ts";
import { PageSkeleton } from "../../ui/page-skeleton.tsx";
import { Panel } from "../../ui/panel.tsx";

const userQuery = convexQuery(functions.users.current, {});
const noticeSettingsQuery = convexQuery(functions.notices.settings, {});

export const Route = createFileRoute("/_app/settings")({
  validateSearch: (search: Record<string, unknown>): LinkSearch => ({
    linked: typeof search["linked"] === "string" ? search["linked"] : undefined,
    error: typeof search["error"] === "string" ? search["error"] : undefined,
  }),
  head: () => ({ meta: [{ title: "Settings" }] }),
  loader: async ({ context: { queryClient } }) => {
    await Promise.all([
      queryClient.ensureQueryData(userQuery),
      queryClient.ensureQueryData(noticeSettingsQuery),
      loadPlanFacts(queryClient),
    ]);
  },
  pendingComponent: PageSkeleton,
  component: SettingsPage,
});

function SettingsPage() {
  const { productName, site } = Route.useRouteContext();
  const { data: user } = useSuspenseQuery(userQuery);
  const search = Route.useSearch();
  const isReadOnly = useIsReadOnly();
  if (user === null) return null;
  return (
    <FreshSessionProvider email={user.email}>
      <Page title="Settings">
        <div className="grid gap-8 lg:grid-cols-[11rem_minmax(0,56rem)]">
          <SettingsNavigation />
          <fieldset disabled={isReadOnly} className="grid min-w-0 gap-4">
            <legend className="sr-only">{isReadOnly ? READ_ONLY_SENTENCE : "Settings"}</legend>
            <Panel title="Account">
              <ProfileSection user={user} />
              <EmailSection user={user} />
              <PlanSection />
              <PreferencesSection />
              <NotificationsSection isConfirmed={user.emailVerified} />
            </Panel>
            <Panel title="Security">
              <PasswordSection email={user.email} />
              <TwoFactorSection productName={productName} />
              <PasskeysSection />
              <LinkedAccountsSection {...search} />
              <SessionsSection />
              <ApiKeysSection />
              <SignInHistorySection />
              <OwnDataSection />
            </Panel>
            {site.offers.deletion ? (
              <Panel title="Danger zone">
                <DeleteSection email={user.email} />
              </Panel>
            ) : null}
          </fieldset>
        </div>
      </Page>
    </FreshSessionProvider>
  );
}
