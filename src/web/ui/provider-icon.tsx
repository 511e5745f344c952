/** A provider's initial; decorative, because its name always stands beside it. */
export function ProviderIcon({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <span
      aria-hidden
      data-provider={id}
      className="grid size-5 shrink-0 place-items-center rounded-sm border border-line-strong bg-page text-2xs font-semibold text-muted"
    >
      {name.charAt(0).toUpperCase()}
    </span>
  );
}
