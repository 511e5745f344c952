import { ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { classNames } from "./class-names.ts";

interface ExpandingRowProps {
  /** The columns of the row. */
  readonly className: string;
  /** From which width on the chevron is visible, such as "md:block". */
  readonly chevronClassName: string;
  readonly details: ReactNode;
  readonly children: ReactNode;
}

/** A row of a list that shows its details when it is pressed. */
export function ExpandingRow(props: ExpandingRowProps) {
  const { className, chevronClassName, details, children } = props;
  const [open, setOpen] = useState(false);
  const detailsId = useId();
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={detailsId}
        onClick={() => setOpen(!open)}
        className={classNames(
          "grid w-full items-center gap-x-4 gap-y-1 px-4 py-2.5 text-left text-xs hover:bg-hover focus-visible:-outline-offset-2",
          className,
        )}
      >
        {children}
        <ChevronRight
          aria-hidden
          className={classNames(
            "hidden size-4 text-faint transition-transform",
            chevronClassName,
            open && "rotate-90",
          )}
        />
      </button>
      <div id={detailsId} hidden={!open} className="border-t bg-page">
        {open ? details : null}
      </div>
    </li>
  );
}
