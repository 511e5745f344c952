const SYMBOL = /^[A-Z0-9]{1,16}-[A-Z0-9]{1,16}$/;

/** The canonical spelling of a market symbol from the URL; undefined if it cannot be one. */
export function parseMarketSymbol(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const symbol = value.toUpperCase().replace("/", "-");
  return SYMBOL.test(symbol) ? symbol : undefined;
}
