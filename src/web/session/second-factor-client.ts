import { twoFactorClient } from "better-auth/client/plugins";
import { createAuthClient } from "better-auth/react";

/** Client for two-factor sign-in; separate from auth-client.ts, which every page loads. */
export const secondFactorClient = createAuthClient({ plugins: [twoFactorClient()] });
