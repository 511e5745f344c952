import { CopyButton } from "../../ui/copy-button.tsx";

interface CodeBlockProps {
  readonly label: string;
  readonly text: string;
}

/** Longer texts are cut on the page, which they would slow down; copying copies all of it. */
const LENGTH_MAX = 20_000;

/** A scrollable block of JSON with a copy button. */
export function CodeBlock({ label, text }: CodeBlockProps) {
  return (
    <div className="relative min-w-0">
      <section
        // Focusable, so that the block can be scrolled by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={label}
        className="max-h-96 overflow-auto rounded-md border border-line-strong bg-page p-3 pr-24"
      >
        <pre className="font-mono text-xs">
          {text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX)}\n…` : text}
        </pre>
      </section>
      <div className="absolute top-2 right-4">
        <CopyButton text={text} aria-label={`Copy: ${label}`} />
      </div>
    </div>
  );
}
