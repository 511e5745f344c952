import { useMutation } from "@tanstack/react-query";
import { functions } from "#contract/functions.ts";
import type { Order } from "#contract/types.ts";
import { whileChanging } from "../../session/pending-requests.ts";
import { useRequests } from "../../session/requests.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { toastSuccess } from "../../ui/toast.ts";
import { type CancelScope, countWords, scopeSentence } from "./cancel-scope.ts";

interface CancelAllDialogProps {
  readonly scope: CancelScope;
  /** The open orders in the scope. */
  readonly orders: readonly Order[];
  readonly onClose: () => void;
}

/** Asks the user to confirm cancelling many orders. Loaded lazily, hence the default export. */
export default function CancelAllDialog({ scope, orders, onClose }: CancelAllDialogProps) {
  const requests = useRequests();
  const count = orders.length;
  const cancel = useMutation({
    mutationFn: () =>
      whileChanging(
        orders.map(({ orderId }) => orderId),
        "cancel",
        () => requests.sendWhenConnected(functions.orders.cancelAll, { ...scope }),
      ),
    onSuccess: ({ cancelled }) => {
      onClose();
      toastSuccess(`${countWords(cancelled, scope)} cancelled`);
    },
  });
  return (
    <Dialog
      onClose={onClose}
      title={`Cancel ${countWords(count, scope)}?`}
      description={scopeSentence(scope)}
    >
      <DialogActions>
        <Button onClick={onClose}>Keep them</Button>
        <Button
          variant="danger"
          busy={cancel.isPending}
          disabled={count === 0}
          onClick={() => cancel.mutate()}
        >
          Cancel {countWords(count, scope)}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
