import type { toast as Toast } from "sonner";

export type ToastKind = "success" | "error" | "info" | "warning";

/** Toasts. Their code is loaded on first use; until then messages are queued. */
const listeners = new Set<() => void>();
let markReady: (toast: typeof Toast) => void;
const ready = new Promise<typeof Toast>((resolve) => {
  markReady = resolve;
});

/** Calls the listener for every toast, so that the toaster can be loaded for the first one. */
export function onToastRequested(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Called by the toaster when it is mounted; shows the queued toasts. */
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
 * Shows a toast.
 * @param detail a second, less prominent line
 * @param id replaces an earlier toast with the same id
 */
export function showToast(kind: ToastKind, text: string, detail?: string, id?: string): void {
  for (const listener of listeners) listener();
  void ready.then((toast) => toast[kind](text, { description: detail, ...(id && { id }) }));
}
