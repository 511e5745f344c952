import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import type { CurrentUser } from "#contract/users.ts";
import { EmailField, FIELD_RULES } from "../../session/account-form-fields.tsx";
import { askAccounts } from "../../session/account-refusals.ts";
import { verificationAddress } from "../../session/account-search.ts";
import { authClient } from "../../session/auth-client.ts";
import { useSite } from "../../session/site.ts";
import { useUnsavedChanges } from "../../session/unsaved-changes.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { toastSuccess } from "../../ui/toast.ts";
import { WaitingButton } from "../../ui/waiting-button.tsx";
import { keepPendingEmail, usePendingEmail } from "./pending-email.ts";
import { SettingsSection } from "./settings-section.tsx";

export function EmailSection({ user }: { readonly user: CurrentUser }) {
  const { id, email, emailVerified } = user;
  const { offers } = useSite();
  const pendingEmail = usePendingEmail(user);
  const change = useMutation({
    mutationFn: (newEmail: string) =>
      askAccounts(
        authClient.changeEmail({ newEmail, callbackURL: verificationAddress(newEmail, true) }),
      ),
    onSuccess: (_answer, newEmail) => {
      if (!emailVerified) {
        toastSuccess("Check your new email to verify it.");
        return;
      }
      keepPendingEmail({ userId: id, newEmail, askedAtMs: Date.now() });
    },
  });
  return (
    <SettingsSection id="email" title="Email" text="You sign in with it, and mail goes there.">
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <span className="min-w-0 break-all font-medium">{email}</span>
        <Badge tone={emailVerified ? "buy" : "warn"}>
          {emailVerified ? "Verified" : "Not verified"}
        </Badge>
      </p>
      {emailVerified || !offers.emailVerification ? null : <Verification email={email} />}
      {!offers.emailChange ? null : pendingEmail === null ? (
        <ChangeForm
          email={email}
          busy={change.isPending}
          onChange={async (newEmail) => change.mutateAsync(newEmail)}
        />
      ) : (
        <PendingChange
          email={email}
          newEmail={pendingEmail}
          busy={change.isPending}
          onRepeat={async () => change.mutateAsync(pendingEmail)}
          onForget={() => keepPendingEmail(null)}
        />
      )}
    </SettingsSection>
  );
}

function Verification({ email }: { readonly email: string }) {
  const send = useMutation({
    mutationFn: () =>
      askAccounts(
        authClient.sendVerificationEmail({ email, callbackURL: verificationAddress(email) }),
      ),
    onSuccess: () => toastSuccess("A verification link is on its way."),
  });
  return (
    <div className="mt-3 rounded-md border border-warn/40 bg-warn-soft px-3 py-2.5">
      <p className="text-sm">
        Open the link that we sent you. It proves that this address is yours.
      </p>
      <WaitingButton
        size="sm"
        className="mt-2"
        label="Send verification link"
        busy={send.isPending}
        onSend={async () => send.mutateAsync()}
      />
    </div>
  );
}

interface ChangeFormProps {
  readonly email: string;
  readonly busy: boolean;
  readonly onChange: (newEmail: string) => Promise<unknown>;
}

function ChangeForm({ email, busy, onChange }: ChangeFormProps) {
  const { register, handleSubmit, formState, reset } = useForm({ defaultValues: { newEmail: "" } });
  useUnsavedChanges(formState.isDirty);
  const isDifferent = (value: string) =>
    value.trim().toLowerCase() === email ? "This is your email already" : undefined;
  return (
    <Form
      className="mt-4 grid items-start gap-3 sm:grid-cols-[1fr_auto]"
      onSubmit={handleSubmit((values) =>
        // A failure is shown as a toast, and the entry stays.
        onChange(values.newEmail.trim().toLowerCase()).then(
          () => reset(),
          () => undefined,
        ),
      )}
    >
      <EmailField
        label="New email"
        registration={register("newEmail", {
          validate: { email: FIELD_RULES.email.validate, isDifferent },
        })}
        error={formState.errors.newEmail}
      />
      <Button type="submit" className="sm:mt-[1.375rem]" busy={busy}>
        Change email
      </Button>
    </Form>
  );
}

interface PendingChangeProps {
  readonly email: string;
  readonly newEmail: string;
  readonly busy: boolean;
  readonly onRepeat: () => Promise<unknown>;
  readonly onForget: () => void;
}

/**
 * A requested change of address. Both addresses must confirm it, so that the account cannot be taken
 * over from an unattended page.
 */
function PendingChange({ email, newEmail, busy, onRepeat, onForget }: PendingChangeProps) {
  return (
    <div className="mt-4 rounded-md border border-line-strong bg-raised px-3 py-2.5 text-sm [overflow-wrap:anywhere]">
      <p>
        Changing to <strong className="font-medium">{newEmail}</strong>
      </p>
      <ol className="mt-2 list-decimal space-y-1 pl-5 text-muted">
        <li>Open the link that we sent to {email}.</li>
        <li>Then open the one that we send to your new address.</li>
      </ol>
      <div className="mt-3 flex flex-wrap gap-2">
        <WaitingButton size="sm" label="Send again" isSent busy={busy} onSend={onRepeat} />
        <Button size="sm" variant="ghost" onClick={onForget}>
          Choose another address
        </Button>
      </div>
    </div>
  );
}
