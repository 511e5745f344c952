import { memo, useEffect, useRef, useState } from "react";
import { firstChange } from "../../format/decimal-text.ts";

const FLASH_MS = 140;

/** A number whose changed digits flash briefly, except with reduced motion. */
export const ChangedDigits = memo(function ChangedDigits({ text }: { readonly text: string }) {
  const tail = useRef<HTMLSpanElement>(null);
  const [shown, setShown] = useState({ text, changedFrom: text.length });
  if (shown.text !== text) setShown({ text, changedFrom: firstChange(shown.text, text) });
  useEffect(() => {
    if (shown.changedFrom >= shown.text.length) return;
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    tail.current?.animate([{ color: "var(--color-accent)" }, { color: "inherit" }], FLASH_MS);
  }, [shown]);
  return (
    <>
      {shown.text.slice(0, shown.changedFrom)}
      <span ref={tail}>{shown.text.slice(shown.changedFrom)}</span>
    </>
  );
});
