import { jwtClient, oneTimeTokenClient } from "better-auth/client/plugins";
import { createAuthClient } from "better-auth/react";

/** Accounts over /api/auth of the page's own origin. */
export const authClient = createAuthClient({
  plugins: [jwtClient(), oneTimeTokenClient()],
});
