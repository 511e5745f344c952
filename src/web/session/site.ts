/** What the operator's settings decide about the pages, where no component is at hand to ask. */
import { useRouteContext } from "@tanstack/react-router";
import type { SiteSettings } from "#contract/page-context.ts";

/** Name of the page's meta element that holds them as JSON. */
export const SITE_META = "site-settings";

/** Where the page does not say, as of a page that failed before it was whole. */
const DEFAULTS: SiteSettings = {
  accountsPath: "/api/auth",
  backendUrl: null,
  passwordLengthMin: 8,
  passwordLengthMax: 128,
  offers: {
    passwords: true,
    signUp: true,
    passwordReset: true,
    emailVerification: true,
    emailChange: true,
    deletion: true,
  },
};

let ofPage: SiteSettings | undefined;

/** For code that runs in the browser only. */
export function siteOfPage(): SiteSettings {
  ofPage ??= readPage();
  return ofPage;
}

function readPage(): SiteSettings {
  if (typeof document === "undefined") return DEFAULTS;
  const element = document.querySelector<HTMLMetaElement>(`meta[name="${SITE_META}"]`);
  return element === null ? DEFAULTS : (JSON.parse(element.content) as SiteSettings);
}

/** For components, which are rendered on the server too. */
export function useSite(): SiteSettings {
  return useRouteContext({ from: "__root__" }).site;
}
