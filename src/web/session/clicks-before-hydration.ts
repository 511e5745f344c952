/**
 * Clicks on buttons of a server-rendered page before hydration. A script in the page records them, and
 * they are repeated at hydration. Links and entries need no script: see `useEnteredBeforeHydration`.
 */
import { useLayoutEffect } from "react";

declare global {
  interface Window {
    /** Stops recording and returns the recorded clicks. */
    takeEarlyClicks?: () => readonly MouseEvent[];
  }
}

/** For the page's head. */
export const RECORD_CLICKS = `{
  const clicks = [];
  const record = (event) => clicks.push(event);
  addEventListener("click", record, true);
  window.takeEarlyClicks = () => {
    removeEventListener("click", record, true);
    return clicks;
  };
}`;

/** Forms that are sent early are posted, and the browser itself opens popovers. */
const BUTTON = "button:not([type=submit], [popovertarget])";

/** Repeats the clicks once the page is hydrated. */
export function useClicksBeforeHydration(): void {
  useLayoutEffect(() => {
    // A click that is being dispatched has caused the hydration, and React dispatches it next.
    const missed = window.takeEarlyClicks?.().filter(({ eventPhase }) => eventPhase === Event.NONE);
    delete window.takeEarlyClicks;
    // React hydrates what a click is on only if nothing else is being rendered.
    if (missed !== undefined && missed.length > 0) setTimeout(() => missed.forEach(repeat));
  }, []);
}

function repeat({ target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest<HTMLButtonElement>(BUTTON) : null;
  // Some tabs and menus open at these. Buttons that need the connection are disabled until it is there.
  button?.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, cancelable: true }));
  button?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true }));
  button?.click();
}
