import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { CurrentPasswordField, FIELD_RULES } from "../../session/account-form-fields.tsx";
import { askAccounts, hasCode } from "../../session/account-refusals.ts";
import { replacingSession } from "../../session/backend-token.ts";
import { secondFactorClient } from "../../session/second-factor-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { toastSuccess } from "../../ui/toast.ts";
import { readableKey } from "./authenticator-key.ts";
import { BackupCodes } from "./backup-codes.tsx";
import { VerifyCode } from "./verify-code.tsx";
import { useFreshSession } from "./fresh-session.tsx";
import { QrCode } from "./qr-code.tsx";

export type TwoFactorTask = "enable" | "newBackupCodes" | "disable";

interface TwoFactorDialogProps {
  readonly task: TwoFactorTask;
  readonly hasPassword: boolean;
  readonly productName: string;
  readonly onClose: () => void;
}

/** The dialog's step: the password, then for some tasks the app, then for some the backup codes. */
type Step =
  | { readonly kind: "confirm" }
  | { readonly kind: "app"; readonly totpUri: string; readonly backupCodes: readonly string[] }
  | { readonly kind: "backupCodes"; readonly backupCodes: readonly string[] };

const { twoFactor } = secondFactorClient;

/**
 * Starts a task.
 * @param password undefined for users without one, whose session must be fresh instead
 */
async function startTask(
  task: TwoFactorTask,
  password: string | undefined,
): Promise<Step | "done"> {
  // The client's type always requires a password.
  const proof = { password } as { password: string };
  if (task === "disable") {
    await replacingSession(() => askAccounts(twoFactor.disable(proof)));
    return "done";
  }
  if (task === "newBackupCodes") {
    const { backupCodes } = await askAccounts(twoFactor.generateBackupCodes(proof));
    return { kind: "backupCodes", backupCodes };
  }
  const answer = await askAccounts(twoFactor.enable(proof));
  if (answer.method !== "totp") throw new Error("The server offers no codes of an app.");
  return { kind: "app", totpUri: answer.totpURI, backupCodes: answer.backupCodes };
}

export function TwoFactorDialog({ task, hasPassword, productName, onClose }: TwoFactorDialogProps) {
  const [step, setStep] = useState<Step>({ kind: "confirm" });
  const [isSaved, setIsSaved] = useState(false);
  const [isWarned, setIsWarned] = useState(false);
  const close = () => {
    // Warns before closing: the backup codes cannot be shown again.
    if (step.kind === "backupCodes" && !isSaved && !isWarned) setIsWarned(true);
    else onClose();
  };
  const onBegun = (next: Step | "done") => {
    if (next !== "done") return setStep(next);
    toastSuccess("Two-factor sign-in is off.");
    onClose();
  };
  return step.kind === "confirm" ? (
    <Dialog onClose={close} {...TASK_TEXTS[task]}>
      <ConfirmForm task={task} hasPassword={hasPassword} onBegun={onBegun} onCancel={onClose} />
    </Dialog>
  ) : step.kind === "app" ? (
    <Dialog
      onClose={close}
      title="Add the account to your app"
      description="Scan the picture with your authenticator app, then enter the six digits that it shows."
    >
      <AppKey totpUri={step.totpUri} />
      <VerifyCode
        submitLabel="Turn on"
        onVerified={() => {
          toastSuccess("Two-factor sign-in is on.");
          setStep({ kind: "backupCodes", backupCodes: step.backupCodes });
        }}
      />
    </Dialog>
  ) : (
    <Dialog
      onClose={close}
      title="Save your backup codes"
      description="Each gets you in once when your phone is not there. They are shown only now; older ones no longer work."
    >
      <BackupCodes
        productName={productName}
        codes={step.backupCodes}
        onSaved={() => setIsSaved(true)}
      />
      {isWarned ? (
        <p role="alert" className="mt-3 text-sm text-warn">
          Have you saved them? They cannot be shown again.
        </p>
      ) : null}
      <DialogActions>
        <Button variant="primary" onClick={isSaved ? onClose : close}>
          {isWarned && !isSaved ? "Close all the same" : "Done"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const TASK_TEXTS = {
  enable: {
    title: "Set up two-factor sign-in",
    description:
      "You need an authenticator app on your phone, such as the one that keeps your other codes.",
    confirmLabel: "Continue",
  },
  newBackupCodes: {
    title: "New backup codes",
    description: "The old codes stop working as soon as there are new ones.",
    confirmLabel: "Make new codes",
  },
  disable: {
    title: "Turn off two-factor sign-in",
    description: "Your password alone will be enough to sign in.",
    confirmLabel: "Turn off",
  },
} as const;

interface ConfirmFormProps {
  readonly task: TwoFactorTask;
  readonly hasPassword: boolean;
  readonly onBegun: (next: Step | "done") => void;
  readonly onCancel: () => void;
}

function ConfirmForm({ task, hasPassword, onBegun, onCancel }: ConfirmFormProps) {
  const run = useFreshSession();
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { password: "" },
  });
  const confirm = useMutation({
    mutationFn: ({ password }: { password: string }) =>
      run(() => startTask(task, hasPassword ? password : undefined)),
    meta: { shownInPlace: (error) => hasCode(error, "INVALID_PASSWORD") },
    onSuccess: onBegun,
    onError: (error) => {
      if (!hasCode(error, "INVALID_PASSWORD")) return;
      setError("password", { message: error.message }, { shouldFocus: true });
    },
  });
  return (
    <Form className="" onSubmit={handleSubmit((values) => confirm.mutate(values))}>
      {hasPassword ? (
        <CurrentPasswordField
          label="Your password"
          registration={register("password", FIELD_RULES.currentPassword)}
          error={formState.errors.password}
        />
      ) : null}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button
          type="submit"
          variant={task === "disable" ? "danger" : "primary"}
          busy={confirm.isPending}
        >
          {TASK_TEXTS[task].confirmLabel}
        </Button>
      </DialogActions>
    </Form>
  );
}

function AppKey({ totpUri }: { readonly totpUri: string }) {
  return (
    <div className="mb-4 flex flex-col items-center gap-3">
      <QrCode text={totpUri} />
      <p className="text-center text-xs text-faint">
        No camera? Type this key:
        <span className="mt-1 block font-mono text-sm tracking-wide text-text select-all">
          {readableKey(totpUri)}
        </span>
      </p>
    </div>
  );
}
