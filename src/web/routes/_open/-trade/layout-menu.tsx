import { LayoutGrid } from "lucide-react";
import { lazyComponent } from "../../../ui/lazy-component.tsx";
import { PanelBoundary } from "../../../ui/panel-boundary.tsx";
import { Popover } from "../../../ui/popover.tsx";
import { useSharedValue } from "../../../ui/shared-value.ts";
import { LAYOUT_LABELS, workspace } from "./layouts.ts";

/** Code of the menu's content, loaded when it is opened. */
const LayoutList = lazyComponent(() => import("./layout-list.tsx"));

/** A menu of the layouts for wide screens. */
export function LayoutMenu() {
  const { layout } = useSharedValue(workspace);
  return (
    <Popover
      label="Layout"
      triggerLabel={`Layout, ${LAYOUT_LABELS[layout]}`}
      trigger={<LayoutGrid className="size-4" aria-hidden />}
      triggerClassName="grid size-8 shrink-0 place-items-center text-muted hover:bg-hover hover:text-text focus-visible:-outline-offset-2 max-lg:hidden"
      align="end"
      className="w-44 p-1"
    >
      {(close) => (
        <PanelBoundary>
          <LayoutList onDone={close} />
        </PanelBoundary>
      )}
    </Popover>
  );
}
