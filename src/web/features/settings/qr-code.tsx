import { encode } from "uqr";

/** Width in modules of the light border that cameras need to find the code. */
const QUIET_MODULES = 2;

/** Draws a text as a QR code. For cameras only: the text itself is shown beside it. */
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

/** The code as one SVG path with a square per dark module. */
function darkModules(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
}
