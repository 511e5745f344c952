import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { functions } from "#contract/functions.ts";
import {
  NOTICE_KINDS,
  type NoticeKind,
  type NoticeSettings,
  type NoticeSwitches,
} from "#contract/notices.ts";
import {
  askForNotifications,
  type NotificationPermission,
  useNotificationPermission,
} from "../../session/browser-notifications.ts";
import { useBackend } from "../../session/use-backend.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { toastError } from "../../ui/toast.ts";
import { SettingsSection } from "./settings-section.tsx";

const KIND_TEXTS: Readonly<Record<NoticeKind, { readonly label: string; readonly text: string }>> =
  {
    fill: { label: "Fills", text: "A resting order has traded." },
    order: { label: "Orders", text: "An order was triggered, or ended without you." },
    alert: { label: "Price alerts", text: "A price was reached." },
    funds: { label: "Funds", text: "Your balance was adjusted." },
    security: { label: "Security", text: "A sign-in from a new place, a changed password." },
  };

const CHANNELS = [
  { channel: "page", label: "On the page" },
  { channel: "browser", label: "Browser" },
  { channel: "mail", label: "Mail" },
] as const;
type NoticeChannel = keyof NoticeSwitches;

interface Change {
  readonly kind: NoticeKind;
  readonly channel: NoticeChannel;
  readonly isOn: boolean;
}

/**
 * The settings of notices.
 * @param isConfirmed whether the user's email address is verified, which mail requires
 */
export function NotificationsSection({ isConfirmed }: { readonly isConfirmed: boolean }) {
  const backend = useBackend();
  const permission = useNotificationPermission();
  const { data: settings } = useFrameQuery(functions.notices.settings, {});
  /** An optimistic change, shown until the settings differ from those it was applied to. */
  const [wanted, setWanted] = useState<{ change: Change; to: typeof settings } | null>(null);
  const { mutate } = useMutation({
    mutationFn: async ({ kind, channel, isOn }: Change) => {
      if (channel === "browser" && isOn && (await askForNotifications()) !== "granted") {
        toastError("This browser shows no notifications", BLOCKED);
        setWanted(null);
        return null;
      }
      const switches = { [channel]: isOn };
      return backend.mutation(functions.notices.setSwitches, { kind, switches });
    },
    onError: () => setWanted(null),
  });
  const change = (next: Change) => {
    setWanted({ change: next, to: settings });
    mutate(next);
  };
  return (
    <SettingsSection
      id="notifications"
      title="Notifications"
      text="Where each kind of notice is announced. The bell lists them all."
    >
      {settings === undefined || settings === null ? (
        <div aria-busy>
          <Skeleton className="h-56" />
        </div>
      ) : (
        <SwitchTable
          settings={settings}
          wanted={wanted?.to === settings ? wanted?.change : undefined}
          onChange={change}
        />
      )}
      <Hints
        permission={permission}
        wantsBrowser={isOnAnywhere(settings, "browser")}
        isMailLost={!isConfirmed && isOnAnywhere(settings, "mail")}
      />
    </SettingsSection>
  );
}

const BLOCKED = "Allow notifications for this site in the browser's settings, then try again.";

function isOnAnywhere(
  settings: NoticeSettings | null | undefined,
  channel: NoticeChannel,
): boolean {
  return NOTICE_KINDS.some((kind) => settings?.[kind][channel] === true);
}

interface SwitchTableProps {
  readonly settings: NoticeSettings;
  readonly wanted: Change | undefined;
  readonly onChange: (change: Change) => void;
}

function SwitchTable({ settings, wanted, onChange }: SwitchTableProps) {
  const isOn = (kind: NoticeKind, channel: NoticeChannel) =>
    wanted?.kind === kind && wanted.channel === channel ? wanted.isOn : settings[kind][channel];
  return (
    <table className="w-full text-sm" aria-busy={wanted !== undefined}>
      <thead>
        <tr className="text-xs text-muted">
          <th scope="col" className="pb-2 text-left font-medium">
            Notices about
          </th>
          {CHANNELS.map(({ channel, label }) => (
            <th key={channel} scope="col" className="w-20 pb-2 text-center font-medium max-sm:w-16">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y border-y">
        {NOTICE_KINDS.map((kind) => (
          <tr key={kind}>
            <th scope="row" className="py-2 pr-3 text-left font-normal">
              {KIND_TEXTS[kind].label}
              <span className="block text-xs text-faint">{KIND_TEXTS[kind].text}</span>
            </th>
            {CHANNELS.map(({ channel, label }) => (
              <td key={channel} className="*:mx-auto">
                <Checkbox
                  className="size-9 justify-center gap-0!"
                  label={<span className="sr-only">{`${KIND_TEXTS[kind].label}: ${label}`}</span>}
                  checked={isOn(kind, channel)}
                  onChange={(event) =>
                    onChange({ kind, channel, isOn: event.currentTarget.checked })
                  }
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface HintsProps {
  readonly permission: NotificationPermission;
  readonly wantsBrowser: boolean;
  /** Whether mail is switched on, but the user has no verified address. */
  readonly isMailLost: boolean;
}

/** Explains why a switch has no effect. */
function Hints({ permission, wantsBrowser, isMailLost }: HintsProps) {
  return (
    <div className="mt-3 grid gap-2 text-xs text-muted empty:hidden">
      {wantsBrowser && permission === "denied" ? (
        <p>This browser blocks notifications. {BLOCKED}</p>
      ) : null}
      {wantsBrowser && permission === "default" ? (
        <p className="flex flex-wrap items-center gap-2">
          This browser has not been asked yet.
          <Button size="sm" onClick={() => void askForNotifications()}>
            Allow notifications
          </Button>
        </p>
      ) : null}
      {isMailLost ? <p>Mail is sent once your email address is confirmed.</p> : null}
    </div>
  );
}
