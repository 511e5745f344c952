import { convexQuery } from "@convex-dev/react-query";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { functions } from "#contract/functions.ts";
import { CurrentPasswordField, FIELD_RULES } from "../../session/account-form-fields.tsx";
import { askAccounts, hasCode, needsNewSignIn } from "../../session/account-refusals.ts";
import { authClient } from "../../session/auth-client.ts";
import { setLeaving } from "../../session/backend-token.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { accountStateQuery } from "./account-state.ts";
import { leftBehind } from "./left-behind.ts";

/** The word that users without a password type to confirm the deletion. */
const CONFIRMATION_WORD = "DELETE";
const DELETED_PATH = "/account-deleted";

/**
 * Deletes the signed-in user.
 * @param password undefined for users without one: the server then requires a fresh session, or sends
 * a mail to confirm
 */
async function deleteAccount(password: string | undefined): Promise<"deleted" | "mailed"> {
  setLeaving(true);
  try {
    await askAccounts(authClient.deleteUser(password === undefined ? {} : { password }));
    return "deleted";
  } catch (error) {
    setLeaving(false);
    if (password !== undefined || !needsNewSignIn(error)) throw error;
  }
  await askAccounts(authClient.deleteUser({ callbackURL: DELETED_PATH }));
  return "mailed";
}

interface DeleteDialogProps {
  readonly email: string;
  readonly onClose: () => void;
}

/** Explains the effects of the deletion and which data remain, and asks for confirmation. */
export function DeleteDialog({ email, onClose }: DeleteDialogProps) {
  const { data: account } = useQuery(accountStateQuery);
  const hasPassword = account?.hasPassword !== false;
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { password: "", word: "" },
  });
  const remove = useMutation({
    mutationFn: async ({ password }: { password: string }) =>
      deleteAccount(hasPassword ? password : undefined),
    meta: { shownInPlace: (error) => hasCode(error, "INVALID_PASSWORD") },
    onSuccess: (outcome) => {
      // A full page load: this page was rendered for the deleted user.
      if (outcome === "deleted") window.location.assign(DELETED_PATH);
    },
    onError: (error) => {
      if (!hasCode(error, "INVALID_PASSWORD")) return;
      setError("password", { message: error.message }, { shouldFocus: true });
    },
  });
  if (remove.data === "mailed") {
    return (
      <Dialog
        onClose={onClose}
        title="Check your email"
        description={`You signed in a while ago, so we sent a link to ${email}. Open it on this device to delete the account.`}
      >
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog onClose={onClose} title="Delete account" description="This cannot be undone.">
      <Form onSubmit={handleSubmit((values) => remove.mutate(values))}>
        <Consequences />
        {hasPassword ? (
          <CurrentPasswordField
            label="Your password"
            registration={register("password", FIELD_RULES.currentPassword)}
            error={formState.errors.password}
          />
        ) : (
          <TextField
            label={`Type ${CONFIRMATION_WORD} to confirm`}
            error={formState.errors.word?.message}
            autoComplete="off"
            autoCapitalize="characters"
            {...register("word", {
              validate: (value) =>
                value.trim().toUpperCase() === CONFIRMATION_WORD
                  ? undefined
                  : `Type ${CONFIRMATION_WORD}`,
            })}
          />
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="danger" busy={remove.isPending || remove.isSuccess}>
            Delete account
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function Consequences() {
  const { data: orders = [] } = useQuery(convexQuery(functions.orders.open, {}));
  const { data: balances = [] } = useQuery(convexQuery(functions.accounts.balances, {}));
  const { data: coins = [] } = useQuery(convexQuery(functions.coins.list, {}));
  const left = leftBehind(balances, coins);
  return (
    <ul className="list-disc space-y-1 pl-5 text-sm text-muted marker:text-faint">
      <li>You are signed out everywhere, and no one can sign in to the account again.</li>
      {orders.length === 0 ? null : (
        <li>
          <strong className="font-medium text-text">
            {orders.length === 1 ? "1 open order" : `${orders.length} open orders`}
          </strong>{" "}
          will be cancelled.
        </li>
      )}
      {left === null ? null : (
        <li>
          <strong className="font-medium text-text">{left}</strong> will be left behind, out of
          anyone’s reach.
        </li>
      )}
    </ul>
  );
}
