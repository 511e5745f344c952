import { jwtClient, oneTimeTokenClient } from "better-auth/client/plugins";
import { createAuthClient } from "better-auth/react";
import { siteOfPage } from "./site.ts";

/** The accounts' client, on the page's own origin. */
export const authClient = createAuthClient({
  basePath: siteOfPage().accountsPath,
  plugins: [jwtClient(), oneTimeTokenClient()],
});
