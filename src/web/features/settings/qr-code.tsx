import { encode } from "uqr";

/** Light modules around the code, which cameras need to find it. */
const QUIET_MODULES = 2;

/** A text as a QR code, for cameras only: others get the text beside it. */
export function QrCode({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { border: QUIET_MODULES, ecc: "M" });
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-48 rounded-md bg-text p-1 text-page"
    >
      <path fill="currentColor" d={darkModules(data)} />
    </svg>
  );
}

/** A single path: one square per dark module. */
function darkModules(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
}
