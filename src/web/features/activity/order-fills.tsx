import { useConvexAction } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { functions } from "#contract/functions.ts";
import type { ActivityItem, ActivityOrder } from "#contract/users.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { formatGivenPrice } from "../../format/given-price.ts";
import { formatNumbersIn } from "../../format/number-sentence.ts";
import { formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { errorSentence } from "../../session/error-sentence.ts";
import { LoadingText, Skeleton } from "../../ui/skeleton.tsx";
import { Table, TableCell, TableHead, TableRow } from "../../ui/table.tsx";

interface OrderFillsProps {
  readonly item: ActivityItem;
  readonly order: ActivityOrder;
}

/** The fills of an order, each with a link to its explanation. */
export function OrderFills({ item, order: { orderId, filledQuantity } }: OrderFillsProps) {
  const timeZone = useTimeZone();
  const read = useConvexAction(functions.fills.ofOrder);
  const { data: fills, error } = useQuery({
    queryKey: ["fillsOfOrder", orderId, filledQuantity, item.status],
    queryFn: () => read({ orderId }),
    staleTime: Infinity,
  });
  if (error !== null) return <p className="px-4 py-3 text-xs text-sell">{errorSentence(error)}</p>;
  if (fills === undefined) {
    return (
      <div className="px-4 py-3">
        <LoadingText />
        <Skeleton className="h-5" />
      </div>
    );
  }
  return (
    <Table aria-label={`Fills of ${formatNumbersIn(item.title)}`}>
      <thead className="border-b">
        <tr>
          <TableHead>Filled</TableHead>
          <TableHead numeric>Price</TableHead>
          <TableHead numeric>Quantity</TableHead>
          <TableHead numeric className="hidden sm:table-cell">
            Total
          </TableHead>
          <TableHead numeric className="hidden sm:table-cell">
            Fee
          </TableHead>
          <TableHead>
            <span className="sr-only">Explanation</span>
          </TableHead>
        </tr>
      </thead>
      <tbody>
        {fills.map((fill) => (
          <TableRow key={`${fill.sequence}-${fill.tradeId}`}>
            <TableCell className="figures text-faint">
              {formatShortDateTime(fill.time, timeZone)}
            </TableCell>
            <TableCell numeric>{formatGivenPrice(fill.price)}</TableCell>
            <TableCell numeric>{formatExact(fill.quantity)}</TableCell>
            <TableCell numeric className="hidden sm:table-cell">
              {formatExact(fill.quoteAmount)}
            </TableCell>
            <TableCell numeric className="hidden text-muted sm:table-cell">
              {formatExact(fill.fee)} {fill.feeCoin}
            </TableCell>
            <TableCell numeric>
              <Link
                to="/fills/$orderId/$tradeId"
                params={{ orderId, tradeId: fill.tradeId.toString() }}
                className="touchable rounded-sm text-accent hover:underline"
              >
                Explain
                <span className="sr-only"> this trade: fee, rounding and postings recomputed</span>
              </Link>
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
