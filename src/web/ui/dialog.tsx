import { X } from "lucide-react";
import * as Radix from "radix-ui/dialog";
import { type ReactNode, useRef } from "react";
import { classNames } from "./class-names.ts";

interface DialogProps {
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly className?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal dialog, open as long as it is rendered; on phones it rises from the bottom edge. */
export function Dialog({ title, description, className, onClose, children }: DialogProps) {
  const opener = useRef<Element | null>(null);
  return (
    <Radix.Root open onOpenChange={onClose}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-page/75" />
        <Radix.Content
          data-sheet
          className={classNames(
            "fixed inset-x-0 bottom-0 z-50 max-h-[90dvh] overflow-y-auto rounded-t-lg border border-line-strong bg-raised p-5 shadow-2xl sm:inset-x-auto sm:bottom-auto sm:left-1/2 sm:top-1/2 sm:w-[calc(100vw-2rem)] sm:max-w-md sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-lg",
            className,
          )}
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
          onOpenAutoFocus={() => {
            opener.current = document.activeElement;
          }}
          // The library restores focus only to its own triggers, but these dialogs are opened by
          // state.
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (opener.current instanceof HTMLElement) opener.current.focus();
            // Its row may have been removed by the action.
            if (document.activeElement === document.body) document.getElementById("main")?.focus();
          }}
        >
          <Radix.Title className="pr-8 text-base font-semibold">{title}</Radix.Title>
          {description === undefined ? null : (
            <Radix.Description className="mt-1.5 text-sm text-muted">
              {description}
            </Radix.Description>
          )}
          <div className="mt-4">{children}</div>
          <Radix.Close
            aria-label="Close"
            className="absolute right-3 top-3 grid size-8 place-items-center rounded-md text-muted hover:bg-hover hover:text-text"
          >
            <X className="size-4" aria-hidden />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The row of buttons at the bottom of a dialog. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className="mt-5 flex flex-wrap justify-end gap-2">{children}</div>;
}
