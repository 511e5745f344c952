/** Text of the API documents: names between backticks are printed as code. */
export function MarkedText({ text }: { readonly text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code key={part} className="font-mono text-text">
        {part}
      </code>
    ),
  );
}
