/**
 * What payers state with a deposit, so that it is matched: the number of the transfer with two check
 * characters. One character mistyped, or two neighbours swapped, is another deposit's reference only
 * if both check characters happen to fit (ISO 7064 MOD 97-10, as in IBANs).
 */
const PREFIX = "OB";
const REFERENCE = /^OB(\d{1,15})(\d{2})$/;

/** Such as "OB-000012-31". */
export function depositReference(transferId: number): string {
  const digits = transferId.toString().padStart(6, "0");
  return `${PREFIX}-${digits}-${checkOf(digits)}`;
}

/** The transfer that a payer's text names, in capitals or not, with any spaces and hyphens; undefined if none. */
export function transferOfReference(text: string): number | undefined {
  const match = REFERENCE.exec(text.replaceAll(/[\s-]/g, "").toUpperCase());
  if (match === null) return undefined;
  const [, digits, check] = match;
  return checkOf(digits) === check ? Number(digits) : undefined;
}

function checkOf(digits: string): string {
  return (98n - ((BigInt(digits) * 100n) % 97n)).toString().padStart(2, "0");
}
