import { Link } from "@tanstack/react-router";
import { ShieldCheck, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { FillProof } from "#contract/fill-proof.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { formatBps } from "../../format/money.ts";
import { formatDateTime, useTimeZone } from "../../format/time.ts";
import { Panel } from "../../ui/panel.tsx";
import { PostingChecks } from "./posting-checks.tsx";
import { type Recomputation, recomputeFill } from "#contract/fill-recomputation.ts";
import { orderTitle } from "../../format/order-words.ts";

/** Explains a fill step by step: it is recomputed here, and compared with the ledger's entries. */
export function FillExplanation({ record }: { readonly record: FillProof }) {
  const result = recomputeFill(record);
  return (
    <div className="grid gap-4">
      <Verdict agrees={result.agrees} />
      <Exchanged record={record} result={result} />
      <Fee record={record} result={result} />
      <Panel title="3. What your balances did">
        <PostingChecks postings={result.postings} />
      </Panel>
      <Origin record={record} />
    </div>
  );
}

function Verdict({ agrees }: { readonly agrees: boolean }) {
  const Icon = agrees ? ShieldCheck : TriangleAlert;
  return (
    <output
      className={`flex items-start gap-3 rounded-lg border px-4 py-3 text-sm ${agrees ? "text-buy" : "text-sell"}`}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <p>
        {agrees
          ? "Every number of this trade was recomputed in your browser, and the ledger recorded exactly that."
          : "A number below is not what the ledger recorded. Please send this page's address to the operator."}
      </p>
    </output>
  );
}

function Exchanged({ record, result }: StepProps) {
  const { fill, base, quote } = record;
  return (
    <Panel title="1. What changed hands">
      <Sum>
        {formatExact(fill.price)} {quote.coin} × {formatExact(fill.quantity)} {base.coin} ={" "}
        <Result agrees={result.totalAgrees}>
          {formatExact(result.total)} {quote.coin}
        </Result>
      </Sum>
      <Sentence>
        You gave {formatExact(result.paid)} {result.paidCoin} out of what your order held, for{" "}
        {formatExact(result.received)} {result.receivedCoin}.
        {/[1-9]/.test(result.spared)
          ? ` The price was better than your limit, so ${formatExact(result.spared)} ${quote.coin} that the order had set aside came free.`
          : null}
      </Sentence>
    </Panel>
  );
}

const ROLE_TEXTS = {
  maker: "Your order was waiting in the book and another one met it, so you are the maker.",
  taker: "Your order met one that was waiting in the book, so you are the taker.",
} as const;

function Fee({ record: { fill }, result }: StepProps) {
  const isRounded = /[1-9]/.test(result.roundingAdded);
  return (
    <Panel title="2. The fee">
      <Sum>
        {formatBps(fill.feeBps)} × {formatExact(result.received)} {result.receivedCoin} ={" "}
        {isRounded ? <>{formatExact(result.feeExact)}, rounded up to </> : null}
        <Result agrees={result.feeAgrees}>
          {formatExact(result.fee)} {result.receivedCoin}
        </Result>
      </Sum>
      <Sentence>
        {ROLE_TEXTS[fill.role]} The rate of {formatBps(fill.feeBps)} was fixed when the order was
        placed. A fee is taken from what is received
        {isRounded
          ? ` and rounded up to the smallest unit, ${formatExact(result.smallestUnit)} ${result.receivedCoin}: that added ${formatExact(result.roundingAdded)}.`
          : "; it came out even, so nothing was rounded."}{" "}
        You keep {formatExact(result.net)} {result.receivedCoin}.
      </Sentence>
    </Panel>
  );
}

function Origin({ record: { fill, order } }: { readonly record: FillProof }) {
  const timeZone = useTimeZone();
  const facts: readonly (readonly [string, ReactNode])[] = [
    [
      "Order",
      <Link
        key="order"
        to="/orders/$orderId"
        params={{ orderId: order.orderId }}
        className="touchable rounded-sm text-accent hover:underline"
      >
        {orderTitle(order)}
      </Link>,
    ],
    ["Id of the order", order.orderId],
    ["Placed", formatDateTime(order.placedAt, timeZone)],
    ["Traded", formatDateTime(fill.time, timeZone)],
    ["Trade of the market", fill.tradeId.toString()],
    ["Place in the journal", fill.sequence.toString()],
  ];
  return (
    <Panel title="Where it comes from">
      <dl className="grid gap-x-6 gap-y-2 px-4 py-3 text-sm sm:grid-cols-2">
        {facts.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4">
            <dt className="text-muted">{name}</dt>
            <dd className="tabular">{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

interface StepProps {
  readonly record: FillProof;
  readonly result: Recomputation;
}

function Sum({ children }: { readonly children: ReactNode }) {
  return <p className="px-4 pt-3 text-sm tabular">{children}</p>;
}

function Sentence({ children }: { readonly children: ReactNode }) {
  return <p className="max-w-prose px-4 pt-2 pb-3 text-xs text-pretty text-muted">{children}</p>;
}

function Result({ agrees, children }: { readonly agrees: boolean; readonly children: ReactNode }) {
  return (
    <strong className={agrees ? "font-semibold" : "font-semibold text-sell"}>
      {children}
      {agrees ? null : " (recorded differently)"}
    </strong>
  );
}
