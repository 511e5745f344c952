import { passkeyClient as passkeys } from "@better-auth/passkey/client";
import { createAuthClient } from "better-auth/react";

/** Passkeys; separate from the other calls, which every page loads. */
export const passkeyClient = createAuthClient({ plugins: [passkeys()] });
