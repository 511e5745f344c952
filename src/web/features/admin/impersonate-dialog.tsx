import { setLeaving } from "../../session/backend-token.ts";
import { fullNameOf } from "../../format/person-name.ts";
import { ActionDialog, titleOf, type UserDialogProps } from "./action-dialog.tsx";
import { impersonateUser } from "./admin-client.ts";

/** Confirms viewing the pages as another user sees them. */
export function ImpersonateDialog({ user, onClose }: UserDialogProps) {
  const name = fullNameOf(user);
  const begin = async () => {
    // Keeps the open connection from requesting a token while the session becomes the other user's.
    setLeaving(true);
    try {
      await impersonateUser(user.id);
    } catch (error) {
      setLeaving(false);
      throw error;
    }
    // A full page load: the loaded pages were rendered for the administrator.
    window.location.assign("/dashboard");
    await new Promise<never>(() => undefined);
  };
  return (
    <ActionDialog
      title={titleOf("View as ", name, "?")}
      text="You see every page as they do, for at most an hour. Changes are disabled meanwhile, and the audit log records it."
      submitLabel="View as user"
      onSubmit={begin}
      done={`You are viewing as ${name}.`}
      onClose={onClose}
    />
  );
}
