/**
 * The network addresses from which a key may be used: single addresses, and ranges in CIDR
 * notation.
 */
import { BlockList, isIP } from "node:net";

/** The message names the invalid range and is fit for the user. */
export class AddressRangeError extends Error {
  override readonly name = "AddressRangeError";
}

interface AddressRange {
  readonly address: string;
  readonly family: "ipv4" | "ipv6";
  /** The length of the prefix. */
  readonly bits: number;
}

/** @throws AddressRangeError */
function parseAddressRange(text: string): AddressRange {
  const [address, bitsText, ...rest] = text.split("/");
  const version = isIP(address);
  const bitsMax = version === 4 ? 32 : 128;
  const bits = bitsText === undefined ? bitsMax : Number(bitsText);
  const isWritten = bitsText === undefined || /^\d{1,3}$/.test(bitsText);
  if (version === 0 || address.includes("%") || rest.length > 0 || !isWritten || bits > bitsMax) {
    throw new AddressRangeError(
      `${JSON.stringify(text.slice(0, 60))} is no address such as 203.0.113.7, nor a range such as ` +
        "203.0.113.0/24 or 2001:db8::/48.",
    );
  }
  if (/^::ffff:\d/i.test(address)) {
    throw new AddressRangeError(`Write ${text} as an IPv4 address, without ::ffff:.`);
  }
  return { address, family: version === 4 ? "ipv4" : "ipv6", bits };
}

export class AddressRanges {
  readonly #ranges: BlockList | undefined;

  /** @param ranges if empty, every address is allowed. @throws AddressRangeError */
  constructor(ranges: readonly string[]) {
    if (ranges.length === 0) return;
    this.#ranges = new BlockList();
    for (const range of ranges) {
      const { address, bits, family } = parseAddressRange(range);
      this.#ranges.addSubnet(address, bits, family);
    }
  }

  allow(address: string): boolean {
    if (this.#ranges === undefined) return true;
    const version = isIP(address);
    return version !== 0 && this.#ranges.check(address, version === 4 ? "ipv4" : "ipv6");
  }
}
