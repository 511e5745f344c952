import { type TouchEvent, useRef } from "react";

const PRESS_MS_MIN = 550;
/** A finger that moves further is scrolling, not pressing. */
const MOVEMENT_PX_MAX = 8;

/** Event handlers that detect a long press by touch. */
export function useLongPress(onLongPress: (clientX: number, clientY: number) => void) {
  const press = useRef<{ timer: number; x: number; y: number } | null>(null);
  const end = () => {
    if (press.current !== null) window.clearTimeout(press.current.timer);
    press.current = null;
  };
  return {
    onTouchStart({ touches }: TouchEvent) {
      end();
      const touch = touches.item(0);
      if (touch === null || touches.length > 1) return;
      const { clientX: x, clientY: y } = touch;
      const timer = window.setTimeout(() => onLongPress(x, y), PRESS_MS_MIN);
      press.current = { timer, x, y };
    },
    onTouchMove({ touches }: TouchEvent) {
      const touch = touches.item(0);
      const { current } = press;
      if (touch === null || current === null) return;
      const distance = Math.hypot(touch.clientX - current.x, touch.clientY - current.y);
      if (distance > MOVEMENT_PX_MAX) end();
    },
    onTouchEnd: end,
    onTouchCancel: end,
  };
}
