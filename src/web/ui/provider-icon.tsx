/** Providers with an icon in public/providers, from Simple Icons 16.37 (CC0); it has no others. */
const PROVIDERS_WITH_ICON: ReadonlySet<string> = new Set(
  "apple atlassian cloudflare discord dropbox facebook figma github gitlab google huggingface kakao kick line linear naver notion paypal railway reddit roblox spotify tiktok twitch twitter vercel vk wechat zoom".split(
    " ",
  ),
);

/** A provider's logo, or its initial; decorative, because its name is always shown beside it. */
export function ProviderIcon({ id, name }: { readonly id: string; readonly name: string }) {
  if (PROVIDERS_WITH_ICON.has(id)) {
    return (
      <img
        src={`/providers/${id}.svg`}
        alt=""
        width={16}
        height={16}
        decoding="async"
        className="mx-0.5 size-4 shrink-0"
      />
    );
  }
  return (
    <span
      aria-hidden
      className="grid size-5 shrink-0 place-items-center rounded-sm border border-line-strong bg-page text-2xs font-semibold text-muted"
    >
      {name.charAt(0).toUpperCase()}
    </span>
  );
}
