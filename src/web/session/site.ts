/** The operator's settings for the pages. Every page loads this file: keep it small. */
import { useRouteContext } from "@tanstack/react-router";
import type { SiteSettings } from "#contract/page-context.ts";

/** Name of the meta element whose content is the settings as JSON. */
export const SITE_META = "site";

type PageSettings = Partial<SiteSettings> & Pick<SiteSettings, "accountsPath">;

let ofPage: PageSettings | undefined;

/** The page's settings, for code outside components. Call only in the browser. */
export function siteOfPage(): PageSettings {
  ofPage ??= readPage();
  return ofPage;
}

function readPage(): PageSettings {
  const element = globalThis.document?.querySelector<HTMLMetaElement>(`meta[name=${SITE_META}]`);
  // A page whose rendering failed lacks the element.
  return JSON.parse(element?.content ?? '{"accountsPath":"/api/auth"}') as PageSettings;
}

/** The operator's settings, for components. */
export function useSite(): SiteSettings {
  return useRouteContext({ from: "__root__" }).site;
}
