import type { toast as Toast } from "sonner";

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

export function toastSuccess(text: string): void {
  void show("success", text);
}

export function toastError(text: string): void {
  void show("error", text);
}

async function show(kind: "success" | "error", text: string): Promise<void> {
  for (const listener of wanted) listener();
  const toast = await ready;
  toast[kind](text);
}
