import { useEffect, useState } from "react";

/** Events that precede an interaction. */
const INTERACTION_EVENTS = ["pointermove", "pointerdown", "keydown"] as const;

let wasTouched = false;

/** Whether the viewer has interacted with the page, for parts that are not needed before. */
export function useWasTouched(): boolean {
  const [touched, setTouched] = useState(wasTouched);
  useEffect(() => {
    if (touched) return undefined;
    const touch = () => {
      wasTouched = true;
      setTouched(true);
    };
    // An interaction may have happened between rendering and this effect.
    if (wasTouched) touch();
    for (const name of INTERACTION_EVENTS) window.addEventListener(name, touch, { once: true });
    return () => {
      for (const name of INTERACTION_EVENTS) window.removeEventListener(name, touch);
    };
  }, [touched]);
  return touched;
}
