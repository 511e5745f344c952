import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { functions } from "#contract/functions.ts";
import { formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { deviceText } from "../../format/user-agent.ts";
import { useBackend } from "../../session/use-backend.ts";
import { SecurityEventIcon } from "../../ui/security-event-icon.tsx";
import { SettingsList, SettingsListItem } from "./settings-list.tsx";
import { SettingsSection } from "./settings-section.tsx";

const PAGE_SIZE = 100;
const SHOWN_MAX = 5;
const SIGN_INS: ReadonlySet<string> = new Set(["signedUp", "signedIn", "signInFailed"]);

/** The user's latest sign-ins, including failed attempts. */
export function SignInHistorySection() {
  const backend = useBackend();
  const timeZone = useTimeZone();
  const { data: page } = useQuery({
    queryKey: ["signInHistory"],
    queryFn: () => backend.action(functions.activity.page, { kind: "security", limit: PAGE_SIZE }),
    staleTime: 0,
  });
  const signIns = page?.items
    .filter(({ security }) => security !== undefined && SIGN_INS.has(security.event))
    .slice(0, SHOWN_MAX);
  return (
    <SettingsSection
      id="sign-ins"
      title="Sign-in history"
      text="What you do not know may have been someone else: change your password then."
    >
      <SettingsList label="Latest sign-ins" isLoading={signIns === undefined}>
        {signIns?.map(({ id, title, time, status, security }) => (
          <SettingsListItem
            key={id}
            icon={
              security === undefined ? undefined : (
                <SecurityEventIcon kind={security.event} isRefused={status === "refused"} />
              )
            }
            title={title}
            text={[
              formatShortDateTime(time, timeZone),
              deviceText(security?.userAgent ?? null),
              security?.address ?? "unknown address",
            ].join(" · ")}
          />
        ))}
      </SettingsList>
      <Link
        to="/activity"
        search={{ kind: "security" }}
        className="touchable mt-3 inline-block rounded-sm text-xs text-accent hover:underline"
      >
        All security events
      </Link>
    </SettingsSection>
  );
}
