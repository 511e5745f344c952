const SYMBOL = /^[A-Z0-9]{1,16}-[A-Z0-9]{1,16}$/;

/** The market of the address in its canonical spelling; undefined for anything that cannot be one. */
export function readMarketSymbol(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const symbol = value.toUpperCase().replace("/", "-");
  return SYMBOL.test(symbol) ? symbol : undefined;
}
