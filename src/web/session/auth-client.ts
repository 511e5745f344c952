import { jwtClient, oneTimeTokenClient } from "better-auth/client/plugins";
import { createAuthClient } from "better-auth/react";
import { siteOfPage } from "./site.ts";

/** Client of the sign-in API, on the page's own origin. */
export const authClient = createAuthClient({
  basePath: siteOfPage().accountsPath,
  plugins: [jwtClient(), oneTimeTokenClient()],
});
