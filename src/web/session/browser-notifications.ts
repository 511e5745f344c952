/** Notifications by the browser, which asks the user for permission once and remembers the answer. */
import { useSyncExternalStore } from "react";

export type NotificationPermission = "granted" | "denied" | "default" | "unsupported";

const listeners = new Set<() => void>();

function permission(): NotificationPermission {
  return "Notification" in window ? Notification.permission : "unsupported";
}

/** The permission, "unsupported" while rendering on the server. */
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

/** Asks the user for permission, unless they have answered before. Call only in a click handler. */
export async function askForNotifications(): Promise<NotificationPermission> {
  if (permission() === "default") await Notification.requestPermission();
  for (const listener of listeners) listener();
  return permission();
}

/**
 * Shows a notification if permission was given and the page is hidden.
 * @param tag identifies the notification, so that several open pages show it once
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
    // Some phones allow notifications from service workers only; the bell still counts the notice.
  }
}
