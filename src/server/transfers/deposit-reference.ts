/**
 * The reference that payers state with a deposit, by which it is matched: the transfer's number with
 * two check characters (ISO 7064 MOD 97-10, as in IBANs). With one character mistyped, or two
 * neighbours swapped, it is another deposit's reference only if both check characters happen to fit.
 */
const PREFIX = "OB";
const REFERENCE = /^OB(\d{1,15})(\d{2})$/;

/** Such as "OB-000012-31". */
export function depositReference(transferId: number): string {
  const digits = transferId.toString().padStart(6, "0");
  return `${PREFIX}-${digits}-${checkOf(digits)}`;
}

/** Parses a payer's text to a transfer id, ignoring case, spaces and hyphens; undefined if it is no reference. */
export function transferOfReference(text: string): number | undefined {
  const match = REFERENCE.exec(text.replaceAll(/[\s-]/g, "").toUpperCase());
  if (match === null) return undefined;
  const [, digits, check] = match;
  return checkOf(digits) === check ? Number(digits) : undefined;
}

function checkOf(digits: string): string {
  return (98n - ((BigInt(digits) * 100n) % 97n)).toString().padStart(2, "0");
}
