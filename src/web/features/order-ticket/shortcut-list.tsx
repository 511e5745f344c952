import { toggleSideKeys, useSideKeysEnabled } from "./shortcuts.tsx";

const KEYS: readonly (readonly [key: string, meaning: string])[] = [
  ["B / S", "Buy or sell"],
  ["Enter", "Send the order"],
  ["Esc", "Clear the size"],
  ["↑ ↓", "Price by one tick, with Shift by ten"],
];

/** The ticket's keyboard shortcuts. Loaded lazily, hence the default export. */
export default function ShortcutList() {
  const enabled = useSideKeysEnabled();
  return (
    <>
      <dl className="grid gap-1.5">
        {KEYS.map(([key, meaning]) => (
          <div key={key} className="flex items-baseline gap-3">
            <dt className="w-12 shrink-0 font-medium text-text">{key}</dt>
            <dd className="text-muted">{meaning}</dd>
          </div>
        ))}
      </dl>
      <label className="mt-3 flex cursor-pointer items-center gap-2 border-t pt-3 text-text">
        <input
          type="checkbox"
          checked={enabled}
          onChange={toggleSideKeys}
          className="size-4 accent-accent"
        />
        B and S switch the side
      </label>
    </>
  );
}
