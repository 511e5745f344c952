/**
 * The key by which server time and memory are limited: a signed-in user, wherever they connect
 * from, or all visitors of one network address.
 */
import { isIPv6 } from "node:net";

export type ClientKey = string;

const VISITOR = "address:";
const PAGES = "pages:";

/**
 * The key of a client.
 * @param userId undefined for a visitor
 */
export function clientKeyOf(userId: string | undefined, address: string): ClientKey {
  return userId === undefined ? visitorKeys.of(address) : userKeys.of(userId);
}

/**
 * The key of a user's orders and cancellations by program: a share of their own, so that the user's
 * other calls, or one of their keys that may only read, never delay them.
 */
export function ordersKeyOf(userId: string): ClientKey {
  return ordersKeys.of(userId);
}

/** The key of an API key's requests from addresses from which it has signed before. */
export function signerKeyOf(keyId: string): ClientKey {
  return signerKeys.of(keyId);
}

/**
 * The key of requests that pages in the browsers of a network's visitors send to the interface for
 * programs: a separate allowance, so that no page uses up the allowance of the programs there.
 */
export function pagesKeyOf(address: string): ClientKey {
  return `${PAGES}${clientKeyOf(undefined, address)}`;
}

/** Whether the key is that of all visitors of a network. */
export function isVisitor(client: ClientKey): boolean {
  return client.startsWith(VISITOR);
}

/**
 * The key by which a client waits among others: visitors from all networks of a site share one key;
 * otherwise a network with thousands of addresses would have as many turns.
 */
export function queueKeyOf(client: ClientKey): ClientKey {
  if (client.startsWith(PAGES)) return queueKeyOf(client.slice(PAGES.length));
  return isVisitor(client) ? `${VISITOR}${siteOfVisitor(client)}` : client;
}

/** The site of visitors, by their key. */
export function siteOfVisitor(client: ClientKey): string {
  return siteOf(client.slice(VISITOR.length));
}

const KEYS_KEPT_MAX = 4_096;

/**
 * Keys that were made before. A request needs its client's key several times, and a string that is
 * built again each time is hashed again by each table in which it is looked up.
 */
class KeptKeys {
  readonly #keys = new Map<string, ClientKey>();
  readonly #make: (text: string) => ClientKey;

  constructor(make: (text: string) => ClientKey) {
    this.#make = make;
  }

  of(text: string): ClientKey {
    const known = this.#keys.get(text);
    if (known !== undefined) return known;
    if (this.#keys.size >= KEYS_KEPT_MAX) this.#keys.clear();
    const key = this.#make(text);
    this.#keys.set(text, key);
    return key;
  }
}

const visitorKeys = new KeptKeys((address) => `${VISITOR}${networkOf(address)}`);
const userKeys = new KeptKeys((userId) => `user:${userId}`);
const ordersKeys = new KeptKeys((userId) => `orders:${userId}`);
const signerKeys = new KeptKeys((keyId) => `key:${keyId}`);

/** An IPv4 address as a socket that listens on IPv6 reports it. */
const IPV4_IN_IPV6 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * The network of one subscriber of an internet provider: an IPv4 address, or the 64-bit prefix of
 * an IPv6 address, which alone contains too many addresses to limit each.
 */
export function networkOf(address: string): string {
  // Called several times per request; most addresses contain no colon.
  if (!address.includes(":") || !isIPv6(address)) return address;
  // All IPv4 addresses share one 64-bit prefix.
  const [, ipv4] = IPV4_IN_IPV6.exec(address) ?? [];
  if (ipv4 !== undefined) return ipv4;
  const [head = "", tail = ""] = address.toLowerCase().split("%", 1)[0].split("::", 2);
  const first = groupsOf(head);
  const last = groupsOf(tail);
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => "0");
  const prefix = [...first, ...zeros, ...last].slice(0, 4);
  return `${prefix.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}

/**
 * The largest network that one customer of an internet provider may have: an IPv4 address, or the
 * 48-bit prefix of an IPv6 address (RFC 6177), which contains 65 536 networks.
 */
export function siteOf(address: string): string {
  const network = networkOf(address);
  return network.includes(":") ? `${network.split(":").slice(0, 3).join(":")}::/48` : network;
}

function groupsOf(part: string): string[] {
  if (part === "") return [];
  // A trailing IPv4 address counts as two groups.
  return part.split(":").flatMap((group) => (group.includes(".") ? ["v4", "v4"] : [group]));
}
