/**
 * What the server hands to the pages with every request, in place of an import: the pages never
 * load server code.
 */
export interface PageContext {
  /** Of this response's Content-Security-Policy; new for every request. */
  readonly nonce: string;
  /** Origin under which people reach the exchange, such as "https://exchange.example". */
  readonly publicUrl: string;
  /** Origin under which the reactive backend answers this process, such as "http://127.0.0.1:3000". */
  readonly internalUrl: string;
  readonly productName: string;
  readonly development: boolean;
  readonly site: SiteSettings;
  /**
   * The signed-in user of the request's cookies with a short-lived backend token, or null. The
   * token is printed into the page, so it must never be the session token.
   */
  session(): Promise<PageSession | null>;
}

/** What the operator's settings decide about the pages. */
export interface SiteSettings {
  /** Of the accounts' interface, such as "/api/auth". */
  readonly accountsPath: string;
  /** Origin of the reactive backend for browsers; null for the page's own. */
  readonly backendUrl: string | null;
  readonly passwordLengthMin: number;
  readonly passwordLengthMax: number;
  /** Which of the things that may be switched off are offered. */
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
  /** Set where an administrator looks through the user's eyes, which may change nothing. */
  readonly impersonation: Impersonation | null;
}

export interface Impersonation {
  /** Name of the administrator. */
  readonly by: string;
  /** Milliseconds since 1970 at which it ends by itself. */
  readonly until: number;
}
