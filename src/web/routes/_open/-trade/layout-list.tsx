import { classNames } from "../../../ui/class-names.ts";
import { useSharedValue } from "../../../ui/shared-value.ts";
import {
  chooseLayout,
  type Layout,
  LAYOUT_LABELS,
  LAYOUTS,
  resetLayout,
  workspace,
} from "./layouts.ts";

const ITEM =
  "flex h-9 w-full items-center gap-3 rounded-sm px-2 text-left text-xs text-muted hover:bg-hover hover:text-text focus-visible:-outline-offset-2";

/** The list of layouts to choose from. Loaded lazily, hence the default export. */
export default function LayoutList({ onDone }: { readonly onDone: () => void }) {
  const { layout, sizes } = useSharedValue(workspace);
  const isResized = Object.keys(sizes[layout] ?? {}).length > 0;
  return (
    <>
      <fieldset aria-label="Layout">
        {LAYOUTS.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === layout}
            onClick={() => {
              chooseLayout(each);
              onDone();
            }}
            className={classNames(ITEM, each === layout && "text-accent!")}
          >
            <LayoutMark layout={each} />
            {LAYOUT_LABELS[each]}
          </button>
        ))}
      </fieldset>
      <hr className="-mx-1 my-1 border-line-strong" />
      <button
        type="button"
        disabled={!isResized}
        onClick={() => {
          resetLayout();
          onDone();
        }}
        className={classNames(ITEM, "disabled:opacity-45")}
      >
        Reset panel sizes
      </button>
    </>
  );
}

/** Lines between chart, panels, book and tape, as SVG paths of a layout's small picture. */
const MARK_PATHS = {
  standard: "M11 1v12M15 1v12M1 9h10M11 9h4",
  chart: "M12.5 1v12M15.5 1v12M1 11h11.5",
  book: "M9 1v12M15 1v12M1 9h8M9 10.5h6",
  tape: "M7 1v12M11 1v12M15 1v12M1 9h6",
} as const satisfies Record<Layout, string>;

function LayoutMark({ layout }: { readonly layout: Layout }) {
  return (
    <svg viewBox="0 0 20 14" aria-hidden className="h-3.5 w-5 fill-none stroke-current">
      <rect x="0.5" y="0.5" width="19" height="13" rx="1.5" />
      <path d={MARK_PATHS[layout]} />
    </svg>
  );
}
