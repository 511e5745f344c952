import { useState } from "react";
import { functions } from "#contract/functions.ts";
import type { TransferOptions, WithdrawalAddress, WithdrawalLimit } from "#contract/transfers.ts";
import { addDecimals } from "#contract/decimal.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { NumberInput } from "../../format/number-input.tsx";
import { completeNumber } from "../../format/typed-number.ts";
import { formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { useConfirmedLimit } from "../../session/confirmed-limit.ts";
import { useIsReadOnly } from "../../session/read-only.ts";
import { ownRequests } from "../../session/own-requests.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Field } from "../../ui/field.tsx";
import { Panel } from "../../ui/panel.tsx";
import { SelectField } from "../../ui/select-field.tsx";
import { toastSuccess } from "../../ui/toast.ts";
import { ConfirmedForm, type RunFresh } from "./confirmed-form.tsx";

const AMOUNT = /^\d+(\.\d+)?$/;

interface WithdrawPanelProps {
  readonly options: TransferOptions;
  readonly addresses: readonly WithdrawalAddress[];
  readonly run: RunFresh;
  readonly onAddAddress: () => void;
}

/** Requests a withdrawal to an address of the address book; administrators review it. */
export function WithdrawPanel(props: WithdrawPanelProps) {
  const { addresses, onAddAddress } = props;
  const isReadOnly = useIsReadOnly();
  return (
    <Panel
      title="Withdraw"
      aside={
        <Button size="sm" disabled={isReadOnly} onClick={onAddAddress}>
          Add an address
        </Button>
      }
    >
      {addresses.length === 0 ? (
        <EmptyState
          title="No address yet"
          text={`Add the address that you want to withdraw to.${waiting(props.options.addressWaitHours)}`}
        />
      ) : (
        <WithdrawForm {...props} />
      )}
    </Panel>
  );
}

function WithdrawForm({ options, addresses, run }: WithdrawPanelProps) {
  const isReadOnly = useIsReadOnly();
  const timeZone = useTimeZone();
  const limitFromNow = useConfirmedLimit();
  const [chosen, setChosen] = useState<string | null>(null);
  const [amount, setAmount] = useState("");
  const [isTried, setIsTried] = useState(false);
  // Idempotency key, one per withdrawal: a second click must not request another one.
  const [requestId, setRequestId] = useState(() => crypto.randomUUID());
  const kept = addresses.find(({ addressId }) => addressId === chosen) ?? addresses[0];
  const coin = options.coins.find((each) => each.coin === kept?.coin);
  if (kept === undefined || coin === undefined) {
    return <EmptyState title="Withdrawals are closed" text="This coin cannot be withdrawn now." />;
  }
  const isEmpty = amount.trim() === "";
  const total = AMOUNT.test(completeNumber(amount))
    ? addDecimals(completeNumber(amount), coin.withdrawalFee)
    : null;
  return (
    <div className="grid gap-4 p-4">
      <ConfirmedForm
        run={run}
        submitLabel="Request withdrawal"
        isDisabled={isReadOnly}
        onCheck={() => {
          setIsTried(true);
          return !isEmpty;
        }}
        onSend={async (code) => {
          const limit = limitFromNow();
          return (await ownRequests()).action(functions.transfers.requestWithdrawal, {
            addressId: kept.addressId,
            amount: completeNumber(amount),
            requestId,
            ...limit,
            ...(code !== undefined && { code }),
          });
        }}
        onDone={() => {
          setAmount("");
          setIsTried(false);
          setRequestId(crypto.randomUUID());
          toastSuccess("The withdrawal is held and waits for its review.");
        }}
      >
        {(refused) => (
          <>
            <SelectField
              label="Address"
              hint={
                <span className="wrap-anywhere">
                  {kept.address}
                  {kept.memo === null ? "" : ` · memo ${kept.memo}`}
                </span>
              }
              error={refused?.name === "addressId" ? refused.message : undefined}
              value={kept.addressId}
              options={addresses.map(({ addressId, coin: of, label, network }) => ({
                value: addressId,
                label: `${label} (${of}, ${network})`,
              }))}
              onChange={setChosen}
            />
            <Field
              label={`Amount in ${coin.coin}`}
              hint={
                <>
                  <span className="figures">{formatExact(coin.available)}</span> available. At least{" "}
                  {formatExact(coin.withdrawalMin)}
                  {coin.withdrawalMax === null
                    ? ""
                    : `, at most ${formatExact(coin.withdrawalMax)}`}
                  .
                </>
              }
              error={
                isTried && isEmpty
                  ? "Enter an amount"
                  : refused !== null && refused.name !== "addressId"
                    ? refused.message
                    : undefined
              }
            >
              {(control) => <NumberInput {...control} value={amount} onChange={setAmount} />}
            </Field>
            <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-xs text-muted">
              <dt>Fee</dt>
              <dd className="figures text-right">
                {formatExact(coin.withdrawalFee)} {coin.coin}
              </dd>
              <dt>Held until it is decided</dt>
              <dd className="figures text-right text-text">
                {total === null ? "—" : `${formatExact(total)} ${coin.coin}`}
              </dd>
              <Limit label="Left today (UTC)" limit={options.daily} coin={options.settlementCoin} />
              <Limit
                label="Left this month (UTC)"
                limit={options.monthly}
                coin={options.settlementCoin}
              />
            </dl>
          </>
        )}
      </ConfirmedForm>
      <p className="text-xs text-faint">
        {kept.usableFrom > kept.createdAt
          ? `This address can be used from ${formatShortDateTime(kept.usableFrom, timeZone)}. `
          : ""}
        {options.pauseHours === 0
          ? ""
          : `After a change of how you sign in, such as your password or a passkey, nothing can be withdrawn for ${hours(options.pauseHours)}.`}
      </p>
    </div>
  );
}

interface LimitProps {
  readonly label: string;
  readonly limit: WithdrawalLimit | null;
  readonly coin: string;
}

function Limit({ label, limit, coin }: LimitProps) {
  if (limit === null) return null;
  return (
    <>
      <dt>{label}</dt>
      <dd className="figures text-right">
        {formatExact(limit.left)} of {formatExact(limit.max)} {coin}
      </dd>
    </>
  );
}

/** When a new address can be used, as a sentence to append; "" if at once. */
function waiting(count: number): string {
  return count === 0 ? "" : ` It can be used after ${hours(count)}.`;
}

function hours(count: number): string {
  return count === 1 ? "1 hour" : `${count} hours`;
}
