import { LoaderCircle, Pencil, X } from "lucide-react";
import type { Order } from "#contract/types.ts";
import { formatNumbersIn } from "../../format/number-sentence.ts";
import { orderName } from "../../format/order-words.ts";
import { READ_ONLY_SENTENCE, useIsReadOnly } from "../../session/read-only.ts";
import { useCancelOrder } from "../../session/use-cancel-order.ts";
import { Button } from "../../ui/button.tsx";

interface ChangeButtonProps {
  readonly order: Order;
  readonly onClick: () => void;
}

/** Opens the dialog that amends the order. */
export function ChangeButton({ order, onClick }: ChangeButtonProps) {
  const isReadOnly = useIsReadOnly();
  return (
    <Button
      variant="ghost"
      size="iconSm"
      disabled={isReadOnly}
      aria-label={`Change ${orderWords(order)}`}
      title={isReadOnly ? READ_ONLY_SENTENCE : "Change"}
      onClick={onClick}
    >
      <Pencil className="size-3.5" aria-hidden />
    </Button>
  );
}

/** Cancels the order at once. */
export function CancelButton({ order }: { readonly order: Order }) {
  const isReadOnly = useIsReadOnly();
  const { cancel, isCancelling } = useCancelOrder(order.orderId);
  return (
    <Button
      variant="ghost"
      size="iconSm"
      disabled={isCancelling || isReadOnly}
      aria-busy={isCancelling || undefined}
      aria-label={`Cancel ${orderWords(order)}`}
      title={isReadOnly ? READ_ONLY_SENTENCE : "Cancel"}
      onClick={cancel}
      className="hover:text-sell!"
    >
      {isCancelling ? (
        <LoaderCircle className="size-4 animate-spin motion-reduce:animate-none" aria-hidden />
      ) : (
        <X className="size-4" aria-hidden />
      )}
    </Button>
  );
}

/** Names the order for screen readers: "buy order in BTC-USD at 60000.00". */
function orderWords(order: Order): string {
  const isPlain = order.price !== null && order.special?.trigger === undefined;
  const name = isPlain ? formatNumbersIn(` at ${order.price}`) : `: ${orderName(order)}`;
  return `${order.side} order in ${order.market}${name}`;
}
