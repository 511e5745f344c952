import { twoFactorClient } from "better-auth/client/plugins";
import { createAuthClient } from "better-auth/react";

/** The second step of signing in; separate from the other calls, which every page loads. */
export const secondFactorClient = createAuthClient({ plugins: [twoFactorClient()] });
