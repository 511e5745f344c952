import { type KeyboardEvent, type ReactNode, useId } from "react";
import { classNames } from "../../../ui/class-names.ts";

export interface PanelTab<Key extends string> {
  readonly key: Key;
  readonly title: ReactNode;
}

interface PanelTabsProps<Key extends string> {
  readonly label: string;
  readonly tabs: readonly PanelTab<Key>[];
  readonly chosen: Key;
  readonly onChoose: (key: Key) => void;
  /** Content at the right end of the tab bar. */
  readonly aside: ReactNode;
  /** The chosen tab's content. */
  readonly children: ReactNode;
}

/** Tabs above one panel: a single tab stop, in which arrow keys choose. */
export function PanelTabs<Key extends string>({
  label,
  tabs,
  chosen,
  onChoose,
  aside,
  children,
}: PanelTabsProps<Key>) {
  const id = useId();
  const chooseByKeys = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = tabs.findIndex(({ key }) => key === chosen);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    onChoose(next.key);
    document.getElementById(`${id}-${next.key}`)?.focus();
  };
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex shrink-0 flex-wrap items-stretch justify-between gap-x-3 border-b">
        <div
          role="tablist"
          tabIndex={-1}
          aria-label={label}
          onKeyDown={chooseByKeys}
          className="flex items-stretch gap-1 overflow-x-auto px-1 [scrollbar-width:none]"
        >
          {tabs.map(({ key, title }) => (
            <button
              key={key}
              id={`${id}-${key}`}
              type="button"
              role="tab"
              aria-selected={key === chosen}
              aria-controls={`${id}-panel`}
              tabIndex={key === chosen ? 0 : -1}
              onClick={() => onChoose(key)}
              className={classNames(
                "inline-flex h-9 items-center gap-1.5 whitespace-nowrap border-b-2 px-2.5 text-xs font-medium transition-colors focus-visible:-outline-offset-2",
                key === chosen
                  ? "border-accent text-text"
                  : "border-transparent text-muted hover:text-text",
              )}
            >
              {title}
            </button>
          ))}
        </div>
        {aside}
      </div>
      <div
        key={chosen}
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${chosen}`}
        tabIndex={0}
        className="live-data relative min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
      >
        {children}
      </div>
    </div>
  );
}
