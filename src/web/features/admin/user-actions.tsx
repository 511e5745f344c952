import { convexQuery } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { functions } from "#contract/functions.ts";
import { Button, type ButtonProps } from "../../ui/button.tsx";
import { Panel } from "../../ui/panel.tsx";
import type { UserRecord } from "./admin-client.ts";
import { ProposeAdjustmentDialog } from "./adjustment-dialogs.tsx";
import { BanDialog, UnbanDialog } from "./ban-dialog.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { FreezeDialog } from "./freeze-dialog.tsx";
import { ImpersonateDialog } from "./impersonate-dialog.tsx";
import { PasswordDialog } from "./password-dialog.tsx";
import { PlanDialog } from "./plan-dialog.tsx";
import { RoleDialog } from "./role-dialog.tsx";
import { SecondFactorDialog } from "./second-factor-dialog.tsx";

type Action =
  | "role"
  | "impersonate"
  | "password"
  | "secondFactor"
  | "plan"
  | "adjustment"
  | "freeze"
  | "ban"
  | "unban"
  | "delete";

interface UserActionsProps {
  readonly user: UserRecord;
  /** Whether the user is the viewer: administrators cannot ban, delete or view as themselves. */
  readonly isSelf: boolean;
}

/** The actions that an administrator can take on a user, each with a confirmation. */
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
          title="View as user"
          text={
            isSelf
              ? "This is your own account."
              : isAdmin
                ? "Administrators cannot view as each other."
                : isBanned
                  ? "Not possible while the account is banned."
                  : "Every page as they see it, read-only, for an hour at most."
          }
          label="View as user"
          disabled={isSelf || isAdmin || isBanned}
          onClick={() => setAsked("impersonate")}
        />
        <ActionRow
          title="Role"
          text={
            isAdmin
              ? "Administrator: sees and changes every user."
              : "User: trades, and sees no one else."
          }
          label={isAdmin ? "Make user" : "Make administrator"}
          onClick={() => setAsked("role")}
        />
        <ActionRow
          title="Password"
          text="For a user who receives no mail."
          label="Set password"
          onClick={() => setAsked("password")}
        />
        <ActionRow
          title="Second factor"
          text={user.hasSecondFactor ? "Asked for at every sign-in." : "None is set up."}
          label="Remove"
          disabled={!user.hasSecondFactor}
          name="Remove second factor"
          onClick={() => setAsked("secondFactor")}
        />
        <ActionRow
          title="Plan"
          text={summary ? `${summary.plan} now.` : "No account yet."}
          label="Assign"
          disabled={!summary}
          name="Assign plan"
          onClick={() => setAsked("plan")}
        />
        <ActionRow
          title="Balance"
          text="An adjustment that another administrator approves."
          label="Adjust"
          disabled={!summary}
          name="Adjust balance"
          onClick={() => setAsked("adjustment")}
        />
      </ul>
      <h3 className="border-y bg-sell-soft px-4 py-2 text-xs font-semibold text-sell">
        Danger zone
      </h3>
      <ul className="divide-y">
        <ActionRow
          title={isFrozen ? "Frozen" : "Freeze"}
          text={
            isFrozen
              ? "Places no orders, changes no plan, withdraws nothing."
              : "Stops it from trading and withdrawing, and keeps no one out."
          }
          label={isFrozen ? "Unfreeze" : "Freeze"}
          disabled={summary === undefined || summary === null}
          onClick={() => setAsked("freeze")}
        />
        <ActionRow
          title={isBanned ? "Banned" : "Ban"}
          text={
            isSelf
              ? "Ask another administrator."
              : isBanned
                ? "No one can sign in to this account."
                : "Signs out every device and refuses the next sign-in."
          }
          label={isBanned ? "Unban" : "Ban"}
          variant={isBanned ? "secondary" : "danger"}
          disabled={isSelf}
          onClick={() => setAsked(isBanned ? "unban" : "ban")}
        />
        <ActionRow
          title="Delete"
          text={isSelf ? "Your settings can do that." : "For good. The ledger keeps its postings."}
          label="Delete"
          variant="danger"
          disabled={isSelf}
          onClick={() => setAsked("delete")}
        />
      </ul>
      <AskedDialog
        asked={asked}
        user={user}
        isFrozen={isFrozen}
        plan={summary?.plan ?? ""}
        onClose={() => setAsked(null)}
      />
    </Panel>
  );
}

interface AskedDialogProps {
  readonly asked: Action | null;
  readonly user: UserRecord;
  readonly isFrozen: boolean;
  /** Name of the user's plan. */
  readonly plan: string;
  readonly onClose: () => void;
}

// oxlint-disable-next-line typescript/consistent-return -- the compiler proves that every action has its case
function AskedDialog({ asked, isFrozen, plan, ...about }: AskedDialogProps) {
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
    case "plan":
      return <PlanDialog {...about} current={plan} />;
    case "adjustment":
      return <ProposeAdjustmentDialog {...about} />;
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
  /** The label of the button that starts the action. */
  readonly label: string;
  /** The button's accessible name, if its label says too little. */
  readonly name?: string;
  readonly variant?: ButtonProps["variant"];
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

function ActionRow({ title, text, label, name, ...button }: ActionRowProps) {
  return (
    <li className="flex items-center justify-between gap-4 px-4 py-3">
      <div className="min-w-0">
        <p className="text-sm font-medium">{title}</p>
        <p className="mt-0.5 text-xs text-pretty text-muted">{text}</p>
      </div>
      <Button size="sm" aria-label={name} {...button}>
        {label}
      </Button>
    </li>
  );
}
