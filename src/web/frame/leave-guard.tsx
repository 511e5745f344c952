import { useBlocker } from "@tanstack/react-router";
import { useEffect } from "react";
import { useBackend } from "../session/use-backend.ts";
import { useHasUnsavedChanges } from "../session/unsaved-changes.ts";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { PanelBoundary } from "../ui/panel-boundary.tsx";

const LeaveDialog = lazyComponent(() => import("./leave-dialog.tsx"));

/** Blocks navigation away from the page while it has unsaved changes. */
export function LeaveGuard() {
  const backend = useBackend();
  const isUnsaved = useHasUnsavedChanges();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
    // When the tab is closed, the browser shows its own question.
    enableBeforeUnload: true,
    disabled: !isUnsaved,
    withResolver: true,
  });
  // An unanswered request survives navigation within the app, but not the closing of the page.
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (backend.connectionState().inflightMutations > 0) event.preventDefault();
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [backend]);
  // The dialog is loaded as soon as there are unsaved changes: later the network may be down.
  if (!isUnsaved && blocker.status !== "blocked") return null;
  return (
    <PanelBoundary>
      <LeaveDialog
        open={blocker.status === "blocked"}
        onLeave={() => blocker.proceed?.()}
        onStay={() => blocker.reset?.()}
      />
    </PanelBoundary>
  );
}
