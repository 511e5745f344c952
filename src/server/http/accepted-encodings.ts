/** Content encodings, as requests accept them. */

/** More than any client accepts; parsing thousands would take milliseconds. */
const ENCODINGS_MAX = 16;
const PARAMETERS_MAX = 4;

/**
 * The content encodings that a client accepts with a weight above zero; of many, the first.
 * @param header the value of `accept-encoding`
 */
export function acceptedEncodings(header = ""): ReadonlySet<string> {
  const accepted = new Set<string>();
  for (const part of header.split(",", ENCODINGS_MAX)) {
    const [name, ...parameters] = part
      .split(";", PARAMETERS_MAX)
      .map((text) => text.trim().toLowerCase());
    const weight = parameters.find((text) => text.startsWith("q="))?.slice(2) ?? "1";
    if (Number(weight) > 0) accepted.add(name);
  }
  return accepted;
}
