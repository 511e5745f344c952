import { useEffect, useState } from "react";

/** A moving pointer, a finger or a key is about to interact. */
const TOUCHES = ["pointermove", "pointerdown", "keydown"] as const;

let wasTouched = false;

/** Whether the page has been interacted with, for parts that are of no use before. */
export function useWasTouched(): boolean {
  const [touched, setTouched] = useState(wasTouched);
  useEffect(() => {
    if (touched) return undefined;
    const touch = () => {
      wasTouched = true;
      setTouched(true);
    };
    // Touched between the rendering and this effect.
    if (wasTouched) touch();
    for (const name of TOUCHES) window.addEventListener(name, touch, { once: true });
    return () => {
      for (const name of TOUCHES) window.removeEventListener(name, touch);
    };
  }, [touched]);
  return touched;
}
