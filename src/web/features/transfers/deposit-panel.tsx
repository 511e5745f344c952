import { useMutation } from "@tanstack/react-query";
import { type ComponentType, useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Transfer, TransferOptions } from "#contract/transfers.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { NumberInput } from "../../format/number-input.tsx";
import { completeNumber } from "../../format/typed-number.ts";
import { errorDataOf, errorSentence } from "../../session/error-sentence.ts";
import { useIsReadOnly } from "../../session/read-only.ts";
import { useRequests } from "../../session/requests.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Panel } from "../../ui/panel.tsx";
import { SelectField } from "../../ui/select-field.tsx";

interface DepositPanelProps {
  readonly options: TransferOptions;
  /** The caller's announced deposits that wait for their payment, newest first. */
  readonly waiting: readonly Transfer[];
  /** Opens the description of a coin. */
  readonly about: ComponentType<{ readonly symbol: string }>;
}

/** Announces a deposit, and shows the amount to pay and the reference to state. */
export function DepositPanel({ options, waiting, about: About }: DepositPanelProps) {
  const ways = options.coins.flatMap((coin) =>
    coin.networks
      .filter(({ depositsOpen }) => depositsOpen)
      .map((network) => ({ coin, network, value: `${coin.coin} ${network.code}` })),
  );
  const requests = useRequests();
  const isReadOnly = useIsReadOnly();
  const [chosen, setChosen] = useState<string | null>(null);
  const [amount, setAmount] = useState("");
  const [isTried, setIsTried] = useState(false);
  const way = ways.find(({ value }) => value === chosen) ?? ways[0];
  const announce = useMutation({
    mutationFn: (args: { coin: string; network: string; amount: string }) =>
      requests.send(functions.transfers.requestDeposit, args),
    meta: { shownInPlace: () => true },
    onSuccess: () => {
      setAmount("");
      setIsTried(false);
    },
  });
  if (way === undefined) {
    return (
      <Panel title="Deposit">
        <EmptyState title="Deposits are closed" text="No coin can be paid in at the moment." />
      </Panel>
    );
  }
  const isEmpty = amount.trim() === "";
  const refused = announce.error === null ? undefined : errorSentence(announce.error);
  const isAboutAmount = ["amount", undefined].includes(errorDataOf(announce.error)?.field);
  return (
    <Panel title="Deposit" aside={<About symbol={way.coin.coin} />}>
      <Form
        className="grid gap-4 p-4"
        onSubmit={() => {
          setIsTried(true);
          if (isEmpty || announce.isPending) return;
          announce.mutate({
            coin: way.coin.coin,
            network: way.network.code,
            amount: completeNumber(amount),
          });
        }}
      >
        <SelectField
          label="Coin and network"
          error={isAboutAmount ? undefined : refused}
          value={way.value}
          options={ways.map(({ coin, network, value }) => ({
            value,
            label: `${coin.coin} · ${network.name}`,
          }))}
          onChange={setChosen}
        />
        <Field
          label={`Amount in ${way.coin.coin}`}
          hint={`${Number(way.coin.depositMin) > 0 ? `At least ${formatExact(way.coin.depositMin)}. ` : ""}What arrives is credited.`}
          error={isTried && isEmpty ? "Enter an amount" : isAboutAmount ? refused : undefined}
        >
          {(control) => <NumberInput {...control} value={amount} onChange={setAmount} />}
        </Field>
        <Button
          type="submit"
          variant="primary"
          className="justify-self-end"
          busy={announce.isPending}
          disabled={isReadOnly}
        >
          Announce deposit
        </Button>
      </Form>
      {waiting.length === 0 ? null : (
        <ul aria-label="Deposits to pay" className="divide-y border-t">
          {waiting.map((transfer) => (
            <PaymentInstructions key={transfer.transferId} transfer={transfer} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function PaymentInstructions({ transfer }: { readonly transfer: Transfer }) {
  const { amount, coin, expiresAt, instructions, reference } = transfer;
  const timeZone = useTimeZone();
  return (
    <li className="grid gap-2 p-4 text-xs">
      <p className="text-sm">
        Pay{" "}
        <span className="figures font-medium">
          {formatExact(amount)} {coin}
        </span>{" "}
        and state the reference
      </p>
      <div className="flex items-center justify-between gap-2 rounded-md border border-line-strong bg-page px-3 py-2">
        <span className="figures text-sm font-medium select-all">{reference}</span>
        {reference === null ? null : (
          <CopyButton text={reference} aria-label={`Copy the reference ${reference}`} />
        )}
      </div>
      {instructions === null || instructions === "" ? null : (
        <p className="whitespace-pre-line wrap-anywhere text-muted">{instructions}</p>
      )}
      {expiresAt === null ? null : (
        <p className="text-faint">
          It must arrive by{" "}
          <span className="figures">{formatShortDateTime(expiresAt, timeZone)}</span>.
        </p>
      )}
    </li>
  );
}
