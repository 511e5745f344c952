/**
 * Clicks on buttons of a server-rendered page before hydration, those that submit a form included: a browser
 * also clicks a form's button when Enter is pressed in a field. A script in the page records them, and they are
 * repeated at hydration. Links and entries need no script: see `useEnteredBeforeHydration`.
 */
import { useEffect, useLayoutEffect, useRef } from "react";

declare global {
  interface Window {
    /** Stops recording and returns the recorded clicks. */
    takeEarlyClicks?: () => readonly MouseEvent[];
  }
}

/** For the page's head. A form is submitted once, however often the button is clicked. */
export const RECORD_CLICKS = `{
  const clicks = [];
  const submitters = new Set();
  const record = (event) => {
    if (!submitters.has(event.target.closest("button"))) clicks.push(event);
  };
  const hold = (event) => {
    event.preventDefault();
    submitters.add(event.submitter);
  };
  addEventListener("click", record, true);
  addEventListener("submit", hold, true);
  window.takeEarlyClicks = () => {
    removeEventListener("click", record, true);
    removeEventListener("submit", hold, true);
    return clicks;
  };
}`;

/** Popovers are opened by the browser itself. */
const BUTTON = "button:not([popovertarget])";

/** Repeats the clicks once the page is hydrated. */
export function useClicksBeforeHydration(): void {
  const missed = useRef<readonly MouseEvent[]>([]);
  useLayoutEffect(() => {
    // A click that is being dispatched has caused the hydration, and React dispatches it next.
    missed.current =
      window.takeEarlyClicks?.().filter(({ eventPhase }) => eventPhase === Event.NONE) ?? [];
    delete window.takeEarlyClicks;
  }, []);
  // In an effect, so that early entries have been reported to the forms that the clicks submit. React
  // hydrates the target of a click only if nothing else is being rendered.
  useEffect(() => void setTimeout(() => missed.current.forEach(repeat)), []);
}

function repeat({ target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest<HTMLButtonElement>(BUTTON) : null;
  // Some tabs and menus open at these. Buttons that need the connection are disabled until it is there.
  button?.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, cancelable: true }));
  button?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true }));
  button?.click();
}
