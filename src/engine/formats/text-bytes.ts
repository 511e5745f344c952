/**
 * A text as bytes: one per unit if all are ASCII, else two per unit of UTF-16, so that any text
 * round-trips unit by unit, even if it is not well-formed Unicode. A negative count of units means
 * two bytes each.
 */

/** How many bytes a text with this count of units takes. */
export function bytesOfText(units: number): number {
  return units < 0 ? -2 * units : units;
}

/** Encodes one text after another into the same bytes. */
export class EncodedText {
  bytes = new Uint8Array(128);
  units = 0;
  length = 0;

  encode(text: string): void {
    if (text.length * 2 > this.bytes.length) this.bytes = new Uint8Array(text.length * 2);
    this.units = this.#encodeNarrow(text) ? text.length : this.#encodeWide(text);
    this.length = bytesOfText(this.units);
  }

  #encodeNarrow(text: string): boolean {
    const { bytes } = this;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit > 127) return false;
      bytes[at] = unit;
    }
    return true;
  }

  #encodeWide(text: string): number {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      this.bytes[at * 2] = unit & 0xff;
      this.bytes[at * 2 + 1] = unit >> 8;
    }
    return -text.length;
  }
}

export function decodedText(bytes: Uint8Array, start: number, units: number): string {
  let text = "";
  for (let at = start; at < start + units; at++) text += String.fromCharCode(bytes[at]);
  for (let at = start; at < start - 2 * units; at += 2) {
    text += String.fromCharCode(bytes[at] | (bytes[at + 1] << 8));
  }
  return text;
}

export function hasOnlyAscii(bytes: Uint8Array, start: number, units: number): boolean {
  let others = 0;
  for (let at = start; at < start + units; at++) others |= bytes[at];
  for (let at = start; at < start - 2 * units; at += 2) others |= bytes[at] | (bytes[at + 1] << 8);
  return others <= 127;
}
