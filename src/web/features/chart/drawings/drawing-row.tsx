import { Trash2 } from "lucide-react";
import { useState } from "react";
import { isDecimal } from "#contract/decimal.ts";
import { NumberInput } from "../../../format/number-input.tsx";
import { Button } from "../../../ui/button.tsx";
import { type Drawing, DRAWING_TOOLS } from "./drawing-tools.ts";
import { changeDrawings } from "./drawings-store.ts";

interface DrawingRowProps {
  readonly name: string;
  readonly drawing: Drawing;
  readonly priceDecimals: number;
  readonly storageKey: string;
}

/** A row of the drawing menu: prices can be typed instead of dragged. */
export function DrawingRow({ name, drawing, priceDecimals, storageKey }: DrawingRowProps) {
  const { id, tool, points } = drawing;
  const hasPrices = DRAWING_TOOLS[tool].points !== null && tool !== "verticalStraightLine";
  const move = (index: number, text: string) => {
    if (!isDecimal(text)) return;
    changeDrawings(storageKey, (all) =>
      all.map((each) => {
        if (each.id !== id) return each;
        const moved = each.points.map((point, at) =>
          at === index ? { ...point, value: Number(text) } : point,
        );
        return { ...each, points: moved };
      }),
    );
  };
  return (
    <li className="grid gap-1 px-2">
      <div className="flex items-center justify-between gap-1">
        <span className="min-w-0 truncate text-xs text-muted">{name}</span>
        <Button
          variant="ghost"
          size="iconSm"
          aria-label={`Delete ${name}`}
          title="Delete"
          onClick={() => changeDrawings(storageKey, (all) => all.filter((each) => each.id !== id))}
        >
          <Trash2 className="size-3.5" aria-hidden />
        </Button>
      </div>
      {hasPrices ? (
        <div className="flex gap-1">
          {points.map(({ value }, index) => (
            <PriceInput
              key={index}
              label={points.length === 1 ? `Price of ${name}` : `Price ${index + 1} of ${name}`}
              text={value.toFixed(priceDecimals)}
              onChange={(text) => move(index, text)}
            />
          ))}
        </div>
      ) : null}
    </li>
  );
}

interface PriceInputProps {
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

function PriceInput({ label, text, onChange }: PriceInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <NumberInput
      aria-label={label}
      value={typed ?? text}
      onChange={(next) => {
        setTyped(next);
        onChange(next);
      }}
      onBlur={() => setTyped(null)}
      className="h-7! px-1.5! text-2xs!"
    />
  );
}
