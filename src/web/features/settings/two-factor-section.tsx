import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { PanelBoundary } from "../../ui/panel-boundary.tsx";
import { accountStateQuery } from "./account-state.ts";
import { sessionsQuery } from "./sessions.ts";
import { SettingsFailure } from "./settings-list.tsx";
import { SettingsSection } from "./settings-section.tsx";
import type { TwoFactorTask } from "./two-factor-dialog.tsx";

/** Loaded on demand: it includes the QR encoder, and few users open it. */
const TwoFactorDialog = lazyComponent(async () => {
  const { TwoFactorDialog: Component } = await import("./two-factor-dialog.tsx");
  return { default: Component };
});

/** Switches two-factor sign-in on and off, and renews the backup codes. */
export function TwoFactorSection({ productName }: { readonly productName: string }) {
  const queryClient = useQueryClient();
  const account = useQuery(accountStateQuery);
  const [task, setTask] = useState<TwoFactorTask | null>(null);
  const close = () => {
    setTask(null);
    void queryClient.invalidateQueries({ queryKey: accountStateQuery.queryKey });
    // Switching two-factor sign-in replaces the current session.
    void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  };
  return (
    <SettingsSection
      id="two-factor"
      title="Two-factor sign-in"
      text="A code from an app on your phone, besides the password: the password alone does not open your account."
    >
      {account.isError ? (
        <SettingsFailure error={account.error} onRetry={account.refetch} />
      ) : account.data === undefined ? (
        <Skeleton className="h-9 w-40" />
      ) : (
        <Switch isOn={account.data.hasTwoFactor} onChoose={setTask} />
      )}
      {task === null || account.data === undefined ? null : (
        <PanelBoundary className="mt-3">
          <TwoFactorDialog
            task={task}
            hasPassword={account.data.hasPassword}
            productName={productName}
            onClose={close}
          />
        </PanelBoundary>
      )}
    </SettingsSection>
  );
}

interface SwitchProps {
  readonly isOn: boolean;
  readonly onChoose: (task: TwoFactorTask) => void;
}

/** Buttons for the present state. The first is the same element in both states, so that focus returns to it. */
function Switch({ isOn, onChoose }: SwitchProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Badge tone={isOn ? "buy" : "neutral"} className="mr-2">
        {isOn ? "On" : "Off"}
      </Badge>
      <Button onClick={() => onChoose(isOn ? "disable" : "enable")}>
        {isOn ? "Turn off" : "Set up"}
      </Button>
      {isOn ? <Button onClick={() => onChoose("newBackupCodes")}>New backup codes</Button> : null}
    </div>
  );
}
