import { ConfirmDialog } from "../ui/confirm-dialog.tsx";

interface LeaveDialogProps {
  readonly open: boolean;
  readonly onLeave: () => void;
  readonly onStay: () => void;
}

/** Asks whether to leave the page and lose unsaved changes. Loaded lazily, hence the default export. */
export default function LeaveDialog({ open, onLeave, onStay }: LeaveDialogProps) {
  return (
    <ConfirmDialog
      open={open}
      title="Unsaved changes"
      text="Are you sure you want to leave? Your changes may not be saved."
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={onLeave}
      onCancel={onStay}
    />
  );
}
