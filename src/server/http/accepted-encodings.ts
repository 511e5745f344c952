/** Content encodings, as requests accept them. */

/**
 * The content encodings that a client accepts with a weight above zero.
 * @param header the value of `accept-encoding`
 */
export function acceptedEncodings(header = ""): ReadonlySet<string> {
  const accepted = new Set<string>();
  for (const part of header.split(",")) {
    const [name, ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const weight = parameters.find((text) => text.startsWith("q="))?.slice(2) ?? "1";
    if (Number(weight) > 0) accepted.add(name);
  }
  return accepted;
}
