/**
 * Where an answer may send people. The library refuses other origins; this refuses paths of ours that
 * become another site's address once somebody decodes them, which proxies and pages do.
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

/** What is wrong with an address of a body or a query, in the words of the library; else null. */
export function redirectProblem(fields: unknown): Problem | null {
  if (typeof fields !== "object" || fields === null) return null;
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== "string" || !Object.hasOwn(FIELDS, name)) continue;
    if (isMisleading(value)) return FIELDS[name];
  }
  return null;
}

function isMisleading(address: string): boolean {
  let [path] = address.split(/[?#]/, 1);
  for (let times = 0; times <= DECODED_TIMES; times += 1) {
    // oxlint-disable-next-line no-control-regex -- they are what is looked for: browsers skip them
    if (/^\/[/\\]|[\\\u0000-\u0020\u007F]/.test(path)) return true;
    const decoded = decodedOnce(path);
    if (decoded === path) return false;
    path = decoded;
  }
  // Nobody writes so many layers for a page of this site.
  return true;
}

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
