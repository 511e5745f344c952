import type { toast as Toast } from "sonner";

export type ToastKind = "success" | "error" | "info" | "warning";

/**
 * Short messages about what just happened. Their code is loaded when it is first needed, and a
 * message waits until there is a place for it to appear.
 */
const wanted = new Set<() => void>();
let markReady: (toast: typeof Toast) => void;
const ready = new Promise<typeof Toast>((resolve) => {
  markReady = resolve;
});

/** Calls the listener when a toast waits for the toaster. */
export function onToastWanted(listener: () => void): () => void {
  wanted.add(listener);
  return () => wanted.delete(listener);
}

/** The toaster is on the page, and with it the function that shows a toast. */
export function toasterReady(toast: typeof Toast): void {
  markReady(toast);
}

export function toastSuccess(text: string, detail?: string): void {
  showToast("success", text, detail);
}

export function toastError(text: string, detail?: string): void {
  showToast("error", text, detail);
}

/** @param detail a second, quieter line */
export function showToast(kind: ToastKind, text: string, detail?: string): void {
  for (const listener of wanted) listener();
  void ready.then((toast) => toast[kind](text, { description: detail }));
}
