/**
 * Converts the authentication library's answers to those documented by this exchange's interface:
 * codes and texts that programs depend on stay the same when the library renames them.
 */

import { textOf } from "./fields.ts";

interface Refusal {
  readonly code?: string;
  readonly message: string;
}

/** Refusals by the library's code. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: {
    code: "USER_ALREADY_EXISTS",
    message: "User already exists. Use another email.",
  },
  EMAIL_ALREADY_VERIFIED: {
    message: "You can only send a verification email to an unverified email",
  },
  EMAIL_MISMATCH: { message: "You can only send a verification email to your own email" },
};

const UNAUTHORIZED = { code: "UNAUTHORIZED", message: "Unauthorized" };

/** Codes of /verify-email, in its answers and its redirects. */
const VERIFICATION_CODES: Readonly<Record<string, string>> = {
  TOKEN_EXPIRED: "token_expired",
  INVALID_TOKEN: "invalid_token",
  USER_NOT_FOUND: "user_not_found",
  INVALID_USER: "unauthorized",
};

/** Error codes in the redirect that ends a sign-in through another provider. */
const CALLBACK_CODES: Readonly<Record<string, string>> = {
  email_does_not_match: "email_doesn't_match",
  state_mismatch: "please_restart_the_process",
  state_invalid: "please_restart_the_process",
};

/**
 * Codes for which a deletion link had no effect; other refusals may concern the redirect itself.
 */
const DELETION_CODES: ReadonlySet<string> = new Set(["FAILED_TO_GET_USER_INFO", "INVALID_TOKEN"]);

/** @param basePath the path prefix of the library's calls */
export async function restoreAnswer(
  request: Request,
  basePath: string,
  answer: Response,
): Promise<Response> {
  const url = new URL(request.url);
  const path = url.pathname.slice(basePath.length);
  const location = answer.headers.get("location");
  if (location !== null) {
    if (path.startsWith("/verify-email"))
      return withRestoredCode(answer, location, VERIFICATION_CODES);
    if (isCallback(path)) return withRestoredCode(answer, location, CALLBACK_CODES);
    return answer;
  }
  if (answer.status < 400 || !isJson(answer)) return answer;
  const text = await answer.clone().text();
  // Some calls report this error by status only.
  if (text === "") return answer.status === 401 ? withBody(answer, UNAUTHORIZED) : answer;
  const refusal = withDocumentedCode(JSON.parse(text));
  if (refusal === null || typeof refusal.code !== "string") return answer;
  if (refusal.code === "VALIDATION_ERROR") {
    if (isCallback(path)) {
      const target = new URL(`${basePath}/error?error=invalid_callback_request`, url);
      return new Response(null, { status: 302, headers: { location: target.href } });
    }
    // The invalid fields are reported in addition to the fixed text.
    return withBody(answer, {
      ...refusal,
      message: "Invalid body/query parameters",
      details: refusal.message,
    });
  }
  if (path === "/delete-user/callback" && DELETION_CODES.has(refusal.code)) {
    return deletionRefused(request, url, refusal.code) ?? answer;
  }
  if (path.startsWith("/verify-email") && refusal.code in VERIFICATION_CODES) {
    return withBody(answer, { ...refusal, code: VERIFICATION_CODES[refusal.code] });
  }
  // The library reports a device's invalid answer as an internal error.
  if (refusal.code === "FAILED_TO_VERIFY_REGISTRATION") return withBody(answer, refusal, 400);
  // A later hook's refusal would otherwise have the status of the library's refusal.
  if (refusal.code === "TOO_MANY_REQUESTS") return withBody(answer, refusal, 429);
  if (refusal.code === "PROVIDER_NOT_SUPPORTED" && typeof refusal.message === "string") {
    return withBody(answer, { ...refusal, message: refusal.message.replace(/\.$/, "") });
  }
  const restored = REFUSALS[refusal.code];
  return restored === undefined ? answer : withBody(answer, { ...refusal, ...restored });
}

/** Gives an invalid body or query the one code that the interface has for it. */
function withDocumentedCode(refusal: unknown): Record<string, unknown> | null {
  if (typeof refusal !== "object" || refusal === null) return null;
  const message = textOf(refusal, "message") ?? "";
  const isInvalid = /^Invalid \w+: expected a string$|^Invalid JSON in request body$/.test(message);
  return { ...refusal, ...(isInvalid ? { code: "VALIDATION_ERROR" } : {}) };
}

/** @param path the path below the base path, with a leading slash */
export function isCallback(path: string): boolean {
  return path.startsWith("/callback/") || path.startsWith("/oauth2/callback/");
}

/**
 * A user who opened the mailed link sees the error on the link's target page; programs get the
 * answer.
 */
function deletionRefused(request: Request, url: URL, code: string): Response | null {
  const landing = url.searchParams.get("callbackURL");
  if (landing === null || !(request.headers.get("accept") ?? "").includes("text/html")) return null;
  const target = new URL(landing, url);
  // The refusal may precede the library's check of the URL.
  if (target.origin !== url.origin) return null;
  target.searchParams.set("error", code);
  return new Response(null, { status: 302, headers: { location: target.href } });
}

function isJson(answer: Response): boolean {
  return (answer.headers.get("content-type") ?? "").startsWith("application/json");
}

function withRestoredCode(
  answer: Response,
  location: string,
  codes: Readonly<Record<string, string>>,
): Response {
  const match = /^([^?#]*)\?([^#]*)(.*)$/s.exec(location);
  if (match === null) return answer;
  const [, path, query, fragment] = match;
  const parameters = new URLSearchParams(query);
  const restored = codes[parameters.get("error") ?? ""];
  if (restored === undefined) return answer;
  parameters.set("error", restored);
  const headers = new Headers(answer.headers);
  headers.set("location", `${path}?${parameters.toString()}${fragment}`);
  return new Response(null, { status: answer.status, headers });
}

function withBody(answer: Response, body: unknown, status = answer.status): Response {
  const headers = new Headers(answer.headers);
  headers.delete("content-length");
  return new Response(JSON.stringify(body), { status, headers });
}
