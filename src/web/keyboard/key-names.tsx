import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, type LucideIcon } from "lucide-react";
import { type ShortcutId, shownKeys } from "./shortcuts.ts";

/** Icons for the arrow keys, because not every font has the characters. */
const ARROWS: Readonly<Record<string, readonly [icon: LucideIcon, name: string]>> = {
  "↑": [ArrowUp, "Up"],
  "↓": [ArrowDown, "Down"],
  "←": [ArrowLeft, "Left"],
  "→": [ArrowRight, "Right"],
};

interface KeyNamesProps {
  readonly shortcut: ShortcutId;
}

/** A shortcut's keys as key caps. Not for server rendering, which does not know the platform. */
export function KeyNames({ shortcut }: KeyNamesProps) {
  const keys = shownKeys(shortcut, /Mac|iPhone|iPad/.test(navigator.userAgent));
  return (
    <span className="flex shrink-0 gap-1">
      {keys.split(" ").map((key) => (
        <kbd
          key={key}
          className="grid h-5 min-w-5 place-items-center rounded-sm border border-line-strong bg-surface px-1 font-sans text-2xs text-muted"
        >
          <KeyName name={key} />
        </kbd>
      ))}
    </span>
  );
}

function KeyName({ name }: { readonly name: string }) {
  const arrow = ARROWS[name];
  if (arrow === undefined) return name;
  const [Icon, word] = arrow;
  return (
    <>
      <Icon className="size-3" aria-hidden />
      <span className="sr-only">{word}</span>
    </>
  );
}
