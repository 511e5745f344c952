import { type ReactNode, type ToggleEvent, useEffect, useId, useRef, useState } from "react";
import { classNames } from "./class-names.ts";

const GAP_PX = 6;
const EDGE_PX = 8;

interface PopoverProps {
  /** The panel's accessible name. */
  readonly label: string;
  readonly trigger: ReactNode;
  /** The button's accessible name, if its text is not enough. */
  readonly triggerLabel?: string | undefined;
  readonly triggerClassName?: string;
  /** The edges at which trigger and panel are aligned. */
  readonly align?: "start" | "end";
  readonly className?: string;
  /** Opens the panel when this becomes true. */
  readonly isWanted?: boolean;
  readonly onClosed?: () => void;
  readonly children: (close: () => void) => ReactNode;
}

/**
 * A button that opens a panel beside itself. Uses the browser's own popover, without a library: it
 * closes on Escape or a click elsewhere, restores focus and lies above everything. The content is
 * rendered only while open; an element with `autoFocus` gets the focus.
 */
export function Popover({
  label,
  trigger,
  triggerLabel,
  triggerClassName,
  align = "start",
  className,
  isWanted = false,
  onClosed,
  children,
}: PopoverProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);

  useEffect(() => {
    // The browser opens it before hydration, too.
    if (panel.current?.matches(":popover-open") === true) setOpen(true);
  }, []);

  useEffect(() => {
    if (isWanted) panel.current?.showPopover();
  }, [isWanted]);

  useEffect(() => {
    if (!open) return undefined;
    const place = () => placeBeside(button.current, panel.current, align);
    // Its content may be loaded after it has opened; the first size is observed at once.
    const grown = new ResizeObserver(place);
    if (panel.current !== null) grown.observe(panel.current);
    window.addEventListener("resize", place);
    window.addEventListener("scroll", place, true);
    return () => {
      grown.disconnect();
      window.removeEventListener("resize", place);
      window.removeEventListener("scroll", place, true);
    };
  }, [open, align]);

  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={triggerLabel}
        className={triggerClassName}
      >
        {trigger}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a dialog element opens by script only
        role="dialog"
        aria-label={label}
        onToggle={(event: ToggleEvent<HTMLDivElement>) => {
          setOpen(event.newState === "open");
          if (event.newState === "closed") onClosed?.();
        }}
        className={classNames(
          "fixed inset-auto m-0 rounded-md border border-line-strong bg-raised text-text shadow-2xl",
          className,
        )}
      >
        {open ? children(() => document.getElementById(id)?.hidePopover()) : null}
      </div>
    </>
  );
}

/** Places the panel below the button, or above if there is more room, and within the window. */
function placeBeside(
  button: HTMLElement | null,
  panel: HTMLElement | null,
  align: "start" | "end",
): void {
  if (button === null || panel === null) return;
  const from = button.getBoundingClientRect();
  const { width, height } = panel.getBoundingClientRect();
  const left = align === "start" ? from.left : from.right - width;
  const below = from.bottom + GAP_PX;
  const fitsBelow = below + height + EDGE_PX <= window.innerHeight;
  const top = fitsBelow
    ? below
    : Math.max(EDGE_PX, Math.min(below, window.innerHeight - height - EDGE_PX));
  panel.style.left = `${Math.max(EDGE_PX, Math.min(left, window.innerWidth - width - EDGE_PX))}px`;
  panel.style.top = `${top}px`;
}
