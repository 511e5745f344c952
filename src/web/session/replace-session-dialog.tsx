import { ConfirmDialog } from "../ui/confirm-dialog.tsx";

interface ReplaceSessionDialogProps {
  readonly onReplace: () => void;
  readonly onKeep: () => void;
}

/**
 * Asks before a sign-in link replaces the session: the link may come from an attacker who wants
 * this browser signed in to their own account.
 */
export function ReplaceSessionDialog({ onReplace, onKeep }: ReplaceSessionDialogProps) {
  return (
    <ConfirmDialog
      open
      title="Sign in with this link?"
      text="You are signed in already. This link signs this browser in to the account that it was made for, which may be another one. Continue only if you asked for it."
      confirmLabel="Use the link"
      cancelLabel="Stay signed in"
      onConfirm={onReplace}
      onCancel={onKeep}
    />
  );
}
