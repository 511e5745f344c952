import { useEffect, useRef, useState } from "react";
import { classNames } from "./class-names.ts";

const EMPHASIS_MS = 450;

interface LiveTextProps {
  readonly text: string;
  /** Index of the first character that differs between previous and next text. */
  readonly firstChange: (previous: string, next: string) => number;
  readonly className?: string;
}

/** A live number whose changed digits are highlighted for a moment. */
export function LiveText({ text, firstChange, className }: LiveTextProps) {
  const previous = useRef(text);
  const [changedFrom, setChangedFrom] = useState<number | null>(null);
  useEffect(() => {
    if (previous.current === text) return undefined;
    setChangedFrom(firstChange(previous.current, text));
    previous.current = text;
    const timer = setTimeout(() => setChangedFrom(null), EMPHASIS_MS);
    return () => clearTimeout(timer);
  }, [text, firstChange]);
  const split = changedFrom ?? text.length;
  return (
    <span className={className}>
      {text.slice(0, split)}
      <span className={classNames("transition-colors", changedFrom !== null && "text-accent")}>
        {text.slice(split)}
      </span>
    </span>
  );
}
