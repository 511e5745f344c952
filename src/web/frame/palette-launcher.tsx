import { Search } from "lucide-react";
import { useState } from "react";
import { wantCommands } from "../keyboard/commands.ts";
import { useShortcut } from "../keyboard/use-shortcut.ts";
import { lazyComponent } from "../ui/lazy-component.tsx";
import { PanelBoundary } from "../ui/panel-boundary.tsx";

/** Loaded when first opened. */
const CommandPalette = lazyComponent(() => import("./command-palette.tsx"));
const ShortcutSheet = lazyComponent(() => import("../keyboard/shortcut-sheet.tsx"));

/** The button and the shortcuts that open the command palette and the list of keyboard shortcuts. */
export function PaletteLauncher({ isImpersonated }: { readonly isImpersonated: boolean }) {
  const [open, setOpen] = useState<"palette" | "shortcuts" | null>(null);
  const close = () => setOpen(null);
  const openPalette = () => {
    wantCommands();
    setOpen("palette");
  };
  useShortcut("palette", openPalette);
  useShortcut("help", () => setOpen("shortcuts"));
  return (
    <>
      <button
        type="button"
        aria-label="Search pages and actions"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        title="Search pages and actions (Ctrl K)"
        onClick={openPalette}
        className="grid size-8 place-items-center rounded-md text-muted hover:bg-hover hover:text-text max-[22rem]:hidden"
      >
        <Search className="size-4" aria-hidden />
      </button>
      {open === null ? null : (
        <PanelBoundary className="h-auto flex-row p-0">
          {open === "palette" ? (
            <CommandPalette isImpersonated={isImpersonated} onClose={close} />
          ) : (
            <ShortcutSheet onClose={close} />
          )}
        </PanelBoundary>
      )}
    </>
  );
}
