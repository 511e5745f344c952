/** The product's logo and its configured name. */
export function Wordmark({ name }: { readonly name: string }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-2 font-semibold tracking-tight text-text">
      <svg aria-hidden viewBox="0 0 20 20" className="size-5 shrink-0">
        <path
          d="M3 13V8M8 16V5M12.5 14V3M17 12V7"
          className="stroke-accent"
          strokeWidth="2.4"
          strokeLinecap="round"
        />
      </svg>
      <span className="truncate">{name}</span>
    </span>
  );
}
