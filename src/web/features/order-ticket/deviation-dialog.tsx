import { useState } from "react";
import type { Decimal, Side } from "#contract/types.ts";
import { formatShare } from "../../format/money.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions, DialogContent } from "../../ui/dialog.tsx";
import { PlainSelect } from "../../ui/plain-select.tsx";
import { DEVIATION_CHOICES, deviationChoice, keepDeviationChoice } from "./deviation.ts";

interface DeviationDialogProps {
  readonly side: Side;
  readonly deviation: Decimal;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

const OPTIONS = DEVIATION_CHOICES.map((value) => ({
  value,
  label: value === "never" ? "Never" : `Above ${value} %`,
}));

/** Confirms an order far from the market. Loaded lazily, hence the default export. */
export default function DeviationDialog({
  side,
  deviation,
  onConfirm,
  onCancel,
}: DeviationDialogProps) {
  const [choice, setChoice] = useState(deviationChoice);
  const isBuy = side === "buy";
  return (
    <Dialog open onOpenChange={(open) => !open && onCancel()}>
      <DialogContent
        title={`${isBuy ? "Buy" : "Sell"} ${formatShare(deviation)} ${isBuy ? "above" : "below"} the market?`}
        description={`This order may ${isBuy ? "pay" : "bring"} ${formatShare(deviation)} ${isBuy ? "more" : "less"} than the market's price.`}
      >
        <div className="flex items-center gap-2 text-xs text-muted">
          Ask before orders
          <PlainSelect
            aria-label="Ask before orders that are off by"
            value={choice}
            options={OPTIONS}
            onChange={(next) => {
              setChoice(next);
              keepDeviationChoice(next);
            }}
            className="h-8 border-control/70! bg-page!"
          />
        </div>
        <DialogActions>
          <Button onClick={onCancel}>Back</Button>
          <Button variant={side} onClick={onConfirm}>
            Place it anyway
          </Button>
        </DialogActions>
      </DialogContent>
    </Dialog>
  );
}
