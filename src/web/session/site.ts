/** The operator's settings for the pages. Every page loads this file: keep it small. */
import { useRouteContext } from "@tanstack/react-router";
import type { SiteSettings } from "#contract/page-context.ts";

/** Name of the page's meta element that holds them as JSON. */
export const SITE_META = "site";

type PageSettings = Partial<SiteSettings> & Pick<SiteSettings, "accountsPath">;

let ofPage: PageSettings | undefined;

/** For code that runs in the browser only and outside components. */
export function siteOfPage(): PageSettings {
  ofPage ??= readPage();
  return ofPage;
}

function readPage(): PageSettings {
  const element = globalThis.document?.querySelector<HTMLMetaElement>(`meta[name=${SITE_META}]`);
  // A page that failed while rendering lacks the element.
  return JSON.parse(element?.content ?? '{"accountsPath":"/api/auth"}') as PageSettings;
}

/** For components, which also render on the server. */
export function useSite(): SiteSettings {
  return useRouteContext({ from: "__root__" }).site;
}
