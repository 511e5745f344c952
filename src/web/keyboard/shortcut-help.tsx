import { Keyboard } from "lucide-react";
import { useState } from "react";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { PanelBoundary } from "../ui/panel-boundary.tsx";

/** Loaded on demand, because it is rarely opened. */
const ShortcutSheet = lazyComponent(() => import("./shortcut-sheet.tsx"));

/** A button that opens the list of keyboard shortcuts. */
export function ShortcutHelp() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-label="Keyboard shortcuts"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className="grid size-8 place-items-center rounded-md text-faint hover:bg-hover hover:text-text max-md:hidden"
      >
        <Keyboard className="size-4" aria-hidden />
      </button>
      {open ? (
        <PanelBoundary className="h-auto">
          <ShortcutSheet onClose={() => setOpen(false)} />
        </PanelBoundary>
      ) : null}
    </>
  );
}
