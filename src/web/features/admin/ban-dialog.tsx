import { useState } from "react";
import { fullNameOf } from "../../format/person-name.ts";
import { useTimeZone } from "../../format/time.ts";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ActionDialog, titleOf, type UserDialogProps } from "./action-dialog.tsx";
import { banUser, unbanUser } from "./admin-client.ts";
import { BAN_LENGTHS, type BanLength, banSeconds } from "./ban-length.ts";

const REASON_LENGTH_MAX = 200;

/** Bans a user, with a reason and a duration. */
export function BanDialog({ user, onClose }: UserDialogProps) {
  const timeZone = useTimeZone();
  const [reason, setReason] = useState("");
  const [length, setLength] = useState<BanLength>("forever");
  const [until, setUntil] = useState("");
  const [errors, setErrors] = useState<{ reason?: string; until?: string }>({});
  const name = fullNameOf(user);
  const submit = () => {
    const seconds = banSeconds(length, until, Date.now(), timeZone);
    const hasReason = reason.trim() !== "";
    setErrors({
      ...(hasReason ? {} : { reason: "Say why" }),
      ...(typeof seconds === "string" ? { until: seconds } : {}),
    });
    if (!hasReason || typeof seconds === "string") return undefined;
    return banUser(user.id, reason.trim(), seconds);
  };
  return (
    <ActionDialog
      title={titleOf("Ban ", name, "?")}
      text="Every device is signed out at once and no one can sign in to the account. Its funds stay where they are; its open orders end, unless the exchange is set to keep them."
      isDirty={reason !== ""}
      submitLabel="Ban"
      isDangerous
      onSubmit={submit}
      done={`${name} is banned.`}
      onClose={onClose}
    >
      <TextField
        label="Reason"
        hint="It is kept in the audit log."
        error={errors.reason}
        value={reason}
        maxLength={REASON_LENGTH_MAX}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="How long">
          {(control) => (
            <Select {...control} value={length} options={BAN_LENGTHS} onChange={setLength} />
          )}
        </Field>
        {length === "date" ? (
          <TextField
            label={`Ends, ${timeZone}`}
            error={errors.until}
            type="datetime-local"
            value={until}
            onChange={(event) => setUntil(event.currentTarget.value)}
          />
        ) : null}
      </div>
    </ActionDialog>
  );
}

/** Lifts a user's ban. */
export function UnbanDialog({ user, onClose }: UserDialogProps) {
  const name = fullNameOf(user);
  return (
    <ActionDialog
      title={titleOf("Unban ", name, "?")}
      text="They can sign in again, with the password and the second factor that they had."
      submitLabel="Unban"
      onSubmit={() => unbanUser(user.id)}
      done={`${name} can sign in again.`}
      onClose={onClose}
    />
  );
}
