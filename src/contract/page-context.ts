/**
 * The context that the server passes to the pages with every request. An import is not possible:
 * the pages never load server code.
 */
import type { Formats } from "./formats.ts";

export interface PageContext {
  /** The nonce of this response's Content-Security-Policy; new for every request. */
  readonly nonce: string;
  /** The exchange's public origin, such as "https://exchange.example". */
  readonly publicUrl: string;
  /** Origin of the reactive backend as this process reaches it, such as "http://127.0.0.1:3000". */
  readonly internalUrl: string;
  readonly productName: string;
  readonly development: boolean;
  readonly site: SiteSettings;
  /** The viewer's formats of numbers and dates. */
  readonly formats: Formats;
  /**
   * The signed-in user of the request's cookies with a short-lived backend token; null for visitors. The
   * token is printed into the page, so it must never be the session token.
   */
  session(): Promise<PageSession | null>;
}

/** The operator's settings for the pages. */
export interface SiteSettings {
  /** The base path of the authentication API, such as "/api/auth". */
  readonly accountsPath: string;
  /** Origin of the reactive backend as browsers reach it; null if it is the page's own origin. */
  readonly backendUrl: string | null;
  readonly passwordLengthMin: number;
  readonly passwordLengthMax: number;
  /** Which optional features are offered. */
  readonly offers: {
    readonly passwords: boolean;
    readonly signUp: boolean;
    readonly passwordReset: boolean;
    readonly emailVerification: boolean;
    readonly emailChange: boolean;
    readonly deletion: boolean;
  };
}

export interface PageSession {
  readonly userId: string;
  readonly token: string;
  /** Set if an administrator is viewing as this user, in which case changes are disabled. */
  readonly impersonation: Impersonation | null;
}

export interface Impersonation {
  readonly by: string;
  /** When the impersonation ends automatically, milliseconds since 1970. */
  readonly until: number;
}
