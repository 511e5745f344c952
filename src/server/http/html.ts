/** The few HTML pages that are not rendered by the pages' code: plain, dark, without scripts. */
import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

const STYLE = `
:root{color-scheme:dark}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;background:#0a0b0d;color:#e6e8eb;
font:15px/1.55 Inter,system-ui,-apple-system,"Segoe UI",sans-serif}
body>header{position:sticky;top:0;border-bottom:1px solid #1f242b;background:#0a0b0d}
body>header div{display:flex;align-items:center;justify-content:space-between;height:3.5rem;max-width:72rem;margin:0 auto;
padding:0 1.5rem}
body>header nav{display:flex;gap:1.25rem;font-size:.875rem}
body>header a{display:inline-flex;align-items:center;gap:.5rem;padding:.5rem 0;color:#a0a8b3;text-decoration:none}
body>header div>a{color:#e8eaed;font-weight:600}
body>header a:hover{color:#e8eaed}
body>header svg{width:1.25rem;fill:none;stroke:#4d9fff;stroke-width:2.4;stroke-linecap:round}
main{max-width:52rem;margin:0 auto;padding:3rem 1.5rem}
h1{margin:0 0 .75rem;font-size:1.375rem;font-weight:600}
p{margin:0 0 1rem;color:#9aa3ad}
a{color:#7cc4ff}
a:focus-visible{outline:2px solid #7cc4ff;outline-offset:2px}
code{padding:.125rem .375rem;border:1px solid #242a31;border-radius:4px;background:#12161b;
color:#e6e8eb;font-family:"JetBrains Mono",ui-monospace,monospace;word-break:break-all}
table{width:100%;border-collapse:collapse;text-align:left}
th{padding:.5rem 1rem .5rem 0;white-space:nowrap;color:#9aa3ad;font-size:.875em;font-weight:500}
td{padding:.75rem 1rem .75rem 0;border-top:1px solid #1c2127;vertical-align:top;overflow-wrap:anywhere}
td:last-child,th:last-child{padding-right:0}
td a{display:inline-block;padding:.25rem 0}
td:last-child{color:#9aa3ad;font-variant-numeric:tabular-nums}
td:last-child,th:last-child{text-align:right;white-space:nowrap}
@media(max-width:40rem){thead{display:none}tr{display:block;padding:.75rem 0;border-top:1px solid #1c2127}
td,td:last-child{display:block;padding:0;border:0;text-align:left}}
h1,p{overflow-wrap:anywhere}
pre{padding:1rem;border:1px solid #242a31;border-radius:6px;background:#12161b;
white-space:pre-wrap;overflow-wrap:anywhere}
.button{display:inline-block;padding:.5rem 1rem;border:1px solid #2e3640;border-radius:6px;
color:#e6e8eb;text-decoration:none}
`;

const styleHash = createHash("sha256").update(STYLE).digest("base64");

/** Only the page's own style sheet may load. */
const PAGE_SECURITY_POLICY =
  `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; ` +
  "frame-ancestors 'none'";

/** The logo, as in src/web/frame/wordmark.tsx. */
const MARK = `<svg aria-hidden="true" viewBox="0 0 20 20"><path d="M3 13V8M8 16V5M12.5 14V3M17 12V7"/></svg>`;

/**
 * A complete HTML page.
 * @param body HTML whose texts are already escaped
 */
export function htmlPage(title: string, body: string): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width,initial-scale=1">` +
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>` +
    `<body><header><div><a href="/">${MARK}Home</a><nav aria-label="Site"><a href="/trade">Trade</a>` +
    `<a href="/login">Sign in</a></nav></div></header><main>${body}</main></body></html>`
  );
}

export function sendHtml(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": PAGE_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  });
  response.end(page);
}
