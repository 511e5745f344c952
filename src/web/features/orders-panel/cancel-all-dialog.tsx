import { useMutation } from "@tanstack/react-query";
import { functions } from "#contract/functions.ts";
import { useRequests } from "../../session/requests.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions, DialogClose, DialogContent } from "../../ui/dialog.tsx";
import { toastSuccess } from "../../ui/toast.ts";

interface CancelAllDialogProps {
  readonly market: string | undefined;
  readonly count: number;
  readonly onClose: () => void;
}

/** Confirms cancelling many orders. Loaded lazily, hence the default export. */
export default function CancelAllDialog({ market, count, onClose }: CancelAllDialogProps) {
  const requests = useRequests();
  const cancel = useMutation({
    mutationFn: () =>
      requests.sendWhenConnected(
        functions.orders.cancelAll,
        market === undefined ? {} : { market },
      ),
    onSuccess: ({ cancelled }) => {
      onClose();
      toastSuccess(cancelled === 1 ? "1 order cancelled" : `${cancelled} orders cancelled`);
    },
  });
  const where = market === undefined ? "in all markets" : `in ${market}`;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={`Cancel ${count === 1 ? "1 order" : `${count} orders`}?`}
        description={`Every open order ${where} ends, and what it held becomes available again.`}
      >
        <DialogActions>
          <DialogClose asChild>
            <Button>Keep them</Button>
          </DialogClose>
          <Button variant="danger" busy={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel all
          </Button>
        </DialogActions>
      </DialogContent>
    </Dialog>
  );
}
