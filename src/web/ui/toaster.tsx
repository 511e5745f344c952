import { useEffect } from "react";
import { toast, Toaster as Sonner } from "sonner";
import { toasterReady } from "./toast.ts";

const SHOWN_MS = 4000;
const SHOWN_MAX = 3;
const WIDTH_PX = 356;
const GAP_PX = 14;

// Colour and icon show the kind of message.
const SUCCESS = "[--toast-line:var(--color-buy)] [&_[data-icon]]:text-buy";
const ERROR = "[--toast-line:var(--color-sell)] [&_[data-icon]]:text-sell";
const WARNING = "[--toast-line:var(--color-warn)] [&_[data-icon]]:text-warn";

/** Displays the toasts. Loaded lazily, hence the default export. */
export default function Toaster() {
  useEffect(() => toasterReady(toast), []);
  return (
    <Sonner
      theme="dark"
      position="bottom-right"
      duration={SHOWN_MS}
      visibleToasts={SHOWN_MAX}
      gap={GAP_PX}
      style={{ "--width": `${WIDTH_PX}px` } as React.CSSProperties}
      toastOptions={{
        classNames: { success: SUCCESS, error: ERROR, warning: WARNING },
        style: {
          fontFamily: "var(--font-sans)",
          background: "var(--color-raised)",
          border: "1px solid var(--toast-line, var(--color-line-strong))",
          color: "var(--color-text)",
          borderRadius: "6px",
          boxShadow: "0 8px 24px rgb(0 0 0 / 0.5)",
        },
      }}
    />
  );
}
