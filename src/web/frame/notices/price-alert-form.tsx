import { useMutation } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { ALERT_WINDOWS, windowWords } from "#contract/alerts.ts";
import { functions } from "#contract/functions.ts";
import type { Market, Ticker } from "#contract/types.ts";
import { formatPrice } from "../../format/money.ts";
import { NumberInput } from "../../format/number-input.tsx";
import { completeNumber, type NumberStep } from "../../format/typed-number.ts";
import { useCutOff } from "../../session/connection.ts";
import { errorDataOf, errorSentence } from "../../session/error-sentence.ts";
import { useRequests } from "../../session/requests.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Field } from "../../ui/field.tsx";
import { KeptButton } from "../../ui/kept-button.tsx";
import { SelectField } from "../../ui/select-field.tsx";

const NO_MARKETS: readonly Market[] = [];
const NO_TICKERS: readonly Ticker[] = [];
const WINDOWS = ALERT_WINDOWS.map((minutes) => ({
  value: `${minutes}`,
  label: `within ${windowWords(minutes)}`,
}));
const KINDS = [
  { value: "price", label: "Crosses a price" },
  { value: "change", label: "Changes by percent" },
] as const;
const PERCENT_STEP: NumberStep = { size: "0.1", decimals: 2, start: "1" };
type Kind = (typeof KINDS)[number]["value"];

/** Arguments whose errors are shown at the value's field. */
const VALUE_FIELDS: ReadonlySet<string | undefined> = new Set([
  "condition.price",
  "condition.percent",
]);

export interface PriceAlertFormProps {
  /** The market that is selected first; null for the page's. */
  readonly wanted: string | null;
  /** Whether the user has the maximum number of alerts. */
  readonly isFull: boolean;
}

export function PriceAlertForm({ wanted, isFull }: PriceAlertFormProps) {
  const requests = useRequests();
  const cutOff = useCutOff();
  const { data: markets = NO_MARKETS } = useFrameQuery(functions.markets.list, {});
  const { data: tickers = NO_TICKERS } = useFrameQuery(functions.markets.tickers, {});
  const ofPage = useSearch({
    strict: false,
    select: ({ market }) => (typeof market === "string" ? market : undefined),
  });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The market is already given, so the value is next.
    if (wanted !== null) form.current?.querySelector("input")?.focus();
  }, [wanted]);
  const [chosen, setChosen] = useState(wanted);
  const [kind, setKind] = useState<Kind>("price");
  const [value, setValue] = useState("");
  const [minutes, setMinutes] = useState("15");
  const [repeats, setRepeats] = useState(false);
  const symbol = chosen ?? ofPage ?? markets[0]?.symbol ?? "";
  const market = markets.find((each) => each.symbol === symbol);
  const last = tickers.find((ticker) => ticker.market === symbol)?.last ?? null;
  const step: NumberStep | undefined =
    kind === "change"
      ? PERCENT_STEP
      : market && { size: market.tickSize, decimals: market.priceDecimals, start: last };
  const create = useMutation({
    mutationFn: () => {
      const plain = completeNumber(value);
      const windowMinutes = ALERT_WINDOWS.find((each) => `${each}` === minutes) ?? 15;
      const condition =
        kind === "price"
          ? ({ kind, price: plain } as const)
          : ({ kind, percent: plain, windowMinutes } as const);
      return requests.send(functions.alerts.create, { market: symbol, condition, repeats });
    },
    onSuccess: () => setValue(""),
    meta: { shownInPlace: () => true },
  });
  const isOfValue = VALUE_FIELDS.has(errorDataOf(create.error)?.field);
  const sentence = create.error === null ? undefined : errorSentence(create.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!create.isPending) create.mutate();
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="grid shrink-0 gap-3 border-b p-4">
      <div className="grid grid-cols-[2fr_3fr] gap-3">
        <SelectField
          label="Market"
          value={symbol}
          options={markets.map((each) => ({ value: each.symbol, label: each.symbol }))}
          onChange={setChosen}
        />
        <SelectField
          label="Alert me when it"
          value={kind}
          options={KINDS}
          onChange={(next) => {
            setKind(next);
            setValue("");
            create.reset();
          }}
        />
        <Field
          label={kind === "price" ? "Price" : "Percent"}
          className={kind === "price" ? "col-span-2" : undefined}
          error={isOfValue ? sentence : undefined}
          hint={
            kind === "price" && market !== undefined ? (
              <>
                Now <span className="figures">{formatPrice(last, market.priceDecimals)}</span>
              </>
            ) : undefined
          }
        >
          {(control) => (
            <NumberInput
              {...control}
              value={value}
              onChange={setValue}
              {...(step === undefined ? {} : { step })}
              trailing={kind === "price" ? market?.quote : "%"}
            />
          )}
        </Field>
        {kind === "price" ? null : (
          <SelectField label="Time" value={minutes} options={WINDOWS} onChange={setMinutes} />
        )}
      </div>
      <div className="flex items-center justify-between gap-3">
        <Checkbox
          label="Every time, not just once"
          checked={repeats}
          onChange={(event) => setRepeats(event.currentTarget.checked)}
        />
        <KeptButton
          type="submit"
          variant="primary"
          busy={create.isPending}
          disabled={cutOff !== null || isFull || value === "" || market === undefined}
          title={cutOff ?? undefined}
        >
          Create alert
        </KeptButton>
      </div>
      {isFull ? (
        <p className="text-xs text-warn">
          You have as many alerts as there may be; delete one first.
        </p>
      ) : sentence !== undefined && !isOfValue ? (
        <p role="alert" className="text-xs text-sell">
          {sentence}
        </p>
      ) : null}
    </form>
  );
}
