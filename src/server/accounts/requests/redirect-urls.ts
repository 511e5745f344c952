/**
 * Checks the URLs of redirects. The library refuses other origins; this module refuses URLs of
 * this origin that become another site's once a proxy or a page decodes them, or a browser resolves
 * them: `/.//evil.example` and `/a/..//evil.example` both resolve to the path `//evil.example`,
 * which names a host when it is resolved again.
 */

interface Problem {
  readonly code: string;
  readonly message: string;
}

const FIELDS: Readonly<Record<string, Problem>> = {
  callbackURL: { code: "INVALID_CALLBACK_URL", message: "Invalid callbackURL" },
  redirectTo: { code: "INVALID_REDIRECT_URL", message: "Invalid redirectURL" },
  errorCallbackURL: { code: "INVALID_ERROR_CALLBACK_URL", message: "Invalid errorCallbackURL" },
  newUserCallbackURL: {
    code: "INVALID_NEW_USER_CALLBACK_URL",
    message: "Invalid newUserCallbackURL",
  },
};
const DECODED_TIMES = 3;
/** Placeholder origin for resolving a path; no request is made. */
const SITE = "https://exchange.invalid";

/**
 * The problem with a URL in a body or a query, as the library would report it; null if there
 * is none.
 */
export function redirectProblem(fields: unknown): Problem | null {
  if (typeof fields !== "object" || fields === null) return null;
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== "string" || !Object.hasOwn(FIELDS, name)) continue;
    if (isMisleading(value)) return FIELDS[name];
  }
  return null;
}

function isMisleading(url: string): boolean {
  let [path] = url.split(/[?#]/, 1);
  for (let times = 0; times <= DECODED_TIMES; times += 1) {
    // oxlint-disable-next-line no-control-regex -- the search is for these characters: browsers skip them
    if (/[\\\u0000-\u0020\u007F]/.test(path) || leadsElsewhere(path)) return true;
    const decoded = decodedOnce(path);
    if (decoded === path) return false;
    path = decoded;
  }
  // No page of this site needs so many layers of encoding.
  return true;
}

/** Whether a browser that resolves the path gets another host, or a path that looks like one. */
function leadsElsewhere(path: string): boolean {
  const isAbsolute = /^[a-z][a-z\d+.-]*:/i.test(path);
  const written = isAbsolute ? path.replace(/^[a-z][a-z\d+.-]*:\/\//i, "") : path;
  // Our paths never contain a double slash: the specification does not allow one.
  if (written.includes("//")) return true;
  const resolved = URL.parse(path, SITE);
  if (resolved === null || resolved.pathname.includes("//")) return true;
  return !isAbsolute && resolved.origin !== SITE;
}

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
