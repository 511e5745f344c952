import { memo, useEffect, useRef } from "react";
import { firstChange } from "../../format/decimal-text.ts";

const FLASH_MS = 140;

/** A number whose changed digits brighten for a blink; not at all where motion is unwanted. */
export const ChangedDigits = memo(function ChangedDigits({ text }: { readonly text: string }) {
  const previous = useRef(text);
  const tail = useRef<HTMLSpanElement>(null);
  const split = firstChange(previous.current, text);
  useEffect(() => {
    if (previous.current === text) return;
    previous.current = text;
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    tail.current?.animate([{ color: "var(--color-accent)" }, { color: "inherit" }], FLASH_MS);
  }, [text]);
  return (
    <>
      {text.slice(0, split)}
      <span ref={tail}>{text.slice(split)}</span>
    </>
  );
});
