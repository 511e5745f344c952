import type { toast as Toast } from "sonner";

export type ToastKind = "success" | "error" | "info" | "warning";

/**
 * Short messages about recent events. Their code is loaded on first use, and a message waits until
 * the toaster is on the page.
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

/** The toaster is on the page and provides the function that shows a toast. */
export function toasterReady(toast: typeof Toast): void {
  markReady(toast);
}

export function toastSuccess(text: string, detail?: string): void {
  showToast("success", text, detail);
}

export function toastError(text: string, detail?: string): void {
  showToast("error", text, detail);
}

/**
 * @param detail a second, less prominent line
 * @param id a toast with the same id is replaced
 */
export function showToast(kind: ToastKind, text: string, detail?: string, id?: string): void {
  for (const listener of wanted) listener();
  void ready.then((toast) => toast[kind](text, { description: detail, ...(id && { id }) }));
}
