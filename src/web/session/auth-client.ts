import { jwtClient, oneTimeTokenClient } from "better-auth/client/plugins";
import { createAuthClient } from "better-auth/react";
import { siteOfPage } from "./site.ts";

/** Accounts over the page's own origin. */
export const authClient = createAuthClient({
  basePath: siteOfPage().accountsPath,
  plugins: [jwtClient(), oneTimeTokenClient()],
});
