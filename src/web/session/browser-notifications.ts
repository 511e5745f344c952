/** The browser's own notifications: it asks its user once, and remembers the answer per browser. */
import { useSyncExternalStore } from "react";

export type NotificationPermission = "granted" | "denied" | "default" | "unsupported";

const listeners = new Set<() => void>();

function permission(): NotificationPermission {
  return "Notification" in window ? Notification.permission : "unsupported";
}

/** "unsupported" while rendering on the server. */
export function useNotificationPermission(): NotificationPermission {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    permission,
    () => "unsupported",
  );
}

/** Asks the user, unless they have answered before. Only in answer to a click. */
export async function askForNotifications(): Promise<NotificationPermission> {
  if (permission() === "default") await Notification.requestPermission();
  for (const listener of listeners) listener();
  return permission();
}

/**
 * Shows a notification if the browser allows it and the page is hidden.
 * @param tag several pages with the same tag show one
 */
export function notifyOutsidePage(title: string, body: string, tag: string): void {
  if (permission() !== "granted" || !document.hidden) return;
  try {
    const shown = new Notification(title, { body, tag, icon: "/icons/apple-touch-icon.png" });
    shown.addEventListener("click", () => {
      window.focus();
      shown.close();
    });
  } catch {
    // Some phones allow notifications to service workers only: the bell counts it all the same.
  }
}
