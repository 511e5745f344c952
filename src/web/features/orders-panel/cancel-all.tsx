import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Order } from "#contract/types.ts";
import { useBackend } from "../../session/use-backend.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions, DialogClose, DialogContent, DialogTrigger } from "../../ui/dialog.tsx";

interface CancelAllProps {
  /** Only this market's orders; all without it. */
  readonly market?: string | undefined;
}

/** Ends every open order after asking once. */
export function CancelAll({ market }: CancelAllProps) {
  const [open, setOpen] = useState(false);
  const backend = useBackend();
  const scope = market === undefined ? {} : { market };
  const { data: count = 0 } = useFrameQuery(functions.orders.open, scope, countOf);
  const cancel = useMutation({
    mutationFn: () => backend.mutation(functions.orders.cancelAll, scope),
    onSuccess: async ({ cancelled }) => {
      setOpen(false);
      const { toast } = await import("sonner");
      toast.success(cancelled === 1 ? "1 order cancelled" : `${cancelled} orders cancelled`);
    },
  });
  const where = market === undefined ? "in all markets" : `in ${market}`;
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="ghost" size="sm" disabled={count === 0}>
          Cancel all
        </Button>
      </DialogTrigger>
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

/** How many orders wait; for a tab's title. */
export function OpenOrderCount({ market }: CancelAllProps) {
  const { data: count = 0 } = useFrameQuery(
    functions.orders.open,
    market === undefined ? {} : { market },
    countOf,
  );
  return count === 0 ? null : <span className="figures rounded-sm bg-hover px-1 text-2xs">{count}</span>;
}

function countOf(orders: Order[]): number {
  return orders.length;
}
