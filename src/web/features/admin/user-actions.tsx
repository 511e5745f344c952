import { convexQuery } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { functions } from "#contract/functions.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/panel.tsx";
import type { UserRecord } from "./admin-client.ts";
import { BanDialog, UnbanDialog } from "./ban-dialog.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { FreezeDialog } from "./freeze-dialog.tsx";
import { ImpersonateDialog } from "./impersonate-dialog.tsx";
import { PasswordDialog } from "./password-dialog.tsx";
import { RoleDialog } from "./role-dialog.tsx";
import { SecondFactorDialog } from "./second-factor-dialog.tsx";

type Action =
  | "role"
  | "impersonate"
  | "password"
  | "secondFactor"
  | "freeze"
  | "ban"
  | "unban"
  | "delete";

interface UserActionsProps {
  readonly user: UserRecord;
  /** Nobody bans, deletes or looks through himself. */
  readonly isSelf: boolean;
}

/** Everything that an administrator may do to a user, each after a question. */
export function UserActions({ user, isSelf }: UserActionsProps) {
  const [asked, setAsked] = useState<Action | null>(null);
  const { data: summary } = useQuery(convexQuery(functions.users.summary, { userId: user.id }));
  const isFrozen = summary?.isFrozen === true;
  const isAdmin = user.role === "admin";
  const isBanned = user.ban !== null;
  return (
    <Panel title="Actions">
      <ul className="divide-y">
        <ActionRow
          title="Look through their eyes"
          text={
            isSelf
              ? "They are your own."
              : isAdmin
                ? "Not those of another administrator."
                : isBanned
                  ? "Not while nobody can sign in to the account."
                  : "Every page as they see it, read-only, for an hour at most."
          }
        >
          <Button
            size="sm"
            disabled={isSelf || isAdmin || isBanned}
            onClick={() => setAsked("impersonate")}
          >
            Look
          </Button>
        </ActionRow>
        <ActionRow
          title="Role"
          text={
            isAdmin
              ? "Administrator: sees and changes every user."
              : "User: trades, and sees nobody else."
          }
        >
          <Button size="sm" onClick={() => setAsked("role")}>
            {isAdmin ? "Make user" : "Make administrator"}
          </Button>
        </ActionRow>
        <ActionRow title="Password" text="For a user who receives no mail.">
          <Button size="sm" onClick={() => setAsked("password")}>
            Set password
          </Button>
        </ActionRow>
        <ActionRow
          title="Second factor"
          text={user.hasSecondFactor ? "Asked for at every sign-in." : "None is set up."}
        >
          <Button
            size="sm"
            disabled={!user.hasSecondFactor}
            aria-label="Remove second factor"
            onClick={() => setAsked("secondFactor")}
          >
            Remove
          </Button>
        </ActionRow>
        <ActionRow
          title={isFrozen ? "Frozen" : "Freeze"}
          text={
            isFrozen
              ? "Places no orders and changes no plan."
              : "Stops the account from trading, and keeps nobody out."
          }
        >
          <Button
            size="sm"
            disabled={summary === undefined || summary === null}
            onClick={() => setAsked("freeze")}
          >
            {isFrozen ? "Unfreeze" : "Freeze"}
          </Button>
        </ActionRow>
        <ActionRow
          title={isBanned ? "Banned" : "Ban"}
          text={
            isSelf
              ? "Ask another administrator."
              : isBanned
                ? "Nobody can sign in to this account."
                : "Signs out every device and refuses the next sign-in."
          }
        >
          <Button
            size="sm"
            variant={isBanned ? "secondary" : "danger"}
            disabled={isSelf}
            onClick={() => setAsked(isBanned ? "unban" : "ban")}
          >
            {isBanned ? "Unban" : "Ban"}
          </Button>
        </ActionRow>
        <ActionRow
          title="Delete"
          text={isSelf ? "Your settings can do that." : "For good. The ledger keeps its postings."}
        >
          <Button size="sm" variant="danger" disabled={isSelf} onClick={() => setAsked("delete")}>
            Delete
          </Button>
        </ActionRow>
      </ul>
      <AskedDialog asked={asked} user={user} isFrozen={isFrozen} onClose={() => setAsked(null)} />
    </Panel>
  );
}

interface AskedDialogProps {
  readonly asked: Action | null;
  readonly user: UserRecord;
  readonly isFrozen: boolean;
  readonly onClose: () => void;
}

// oxlint-disable-next-line typescript/consistent-return -- the compiler proves that every action has its case
function AskedDialog({ asked, isFrozen, ...about }: AskedDialogProps) {
  switch (asked) {
    case null:
      return null;
    case "role":
      return <RoleDialog {...about} role={about.user.role} />;
    case "impersonate":
      return <ImpersonateDialog {...about} />;
    case "password":
      return <PasswordDialog {...about} />;
    case "secondFactor":
      return <SecondFactorDialog {...about} />;
    case "freeze":
      return <FreezeDialog {...about} isFrozen={isFrozen} />;
    case "ban":
      return <BanDialog {...about} />;
    case "unban":
      return <UnbanDialog {...about} />;
    case "delete":
      return <DeleteDialog {...about} />;
  }
}

interface ActionRowProps {
  readonly title: string;
  readonly text: string;
  /** Its button. */
  readonly children: ReactNode;
}

function ActionRow({ title, text, children }: ActionRowProps) {
  return (
    <li className="flex items-center justify-between gap-4 px-4 py-3">
      <div className="min-w-0">
        <p className="text-sm font-medium">{title}</p>
        <p className="mt-0.5 text-xs text-pretty text-muted">{text}</p>
      </div>
      {children}
    </li>
  );
}
