import { useEffect, useEffectEvent, useState } from "react";

const TYPING_PAUSE_MS = 250;

/**
 * The text of a search field, applied when typing pauses.
 * @param applied the text in effect, such as from the URL; when it changes elsewhere, the field
 * shows it
 */
export function useTypedText(applied: string, onApply: (text: string) => void) {
  const [text, setText] = useState(applied);
  const [followed, setFollowed] = useState(applied);
  if (followed !== applied) {
    setFollowed(applied);
    if (text.trim() !== applied.trim()) setText(applied);
  }
  const apply = useEffectEvent(onApply);
  useEffect(() => {
    if (text.trim() === applied.trim()) return undefined;
    const timer = setTimeout(() => apply(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, applied]);
  return [text, setText] as const;
}
