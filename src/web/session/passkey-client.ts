import { passkeyClient as passkeys } from "@better-auth/passkey/client";
import { createAuthClient } from "better-auth/react";

/** Client for passkeys; separate from auth-client.ts, which every page loads. */
export const passkeyClient = createAuthClient({ plugins: [passkeys()] });
