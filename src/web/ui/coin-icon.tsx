import { classNames } from "./class-names.ts";

/** A coin's icon; decorative, because its symbol or name is always shown beside it. */
export function CoinIcon({
  symbol,
  className,
}: {
  readonly symbol: string;
  readonly className?: string;
}) {
  return (
    <img
      src={`/coins/${symbol.toLowerCase()}.svg`}
      alt=""
      width={24}
      height={24}
      loading="lazy"
      decoding="async"
      className={classNames("size-6 shrink-0 rounded-full bg-raised", className)}
    />
  );
}
