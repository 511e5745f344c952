/**
 * A page with only the official React client: shows the signed-in user with its `useSession`, and
 * exposes the client on the window for a test to call. Bundled by the test that opens it.
 */
import { passkeyClient } from "@better-auth/passkey/client";
import { adminClient, inferAdditionalFields, twoFactorClient } from "better-auth/client/plugins";
import { createAuthClient } from "better-auth/react";
import { createElement } from "react";
import { createRoot } from "react-dom/client";

const client = createAuthClient({
  plugins: [
    adminClient(),
    twoFactorClient(),
    passkeyClient(),
    inferAdditionalFields({ user: { lastname: { type: "string", required: false } } }),
  ],
});
export type SessionPageClient = typeof client;

/** All texts rendered so far; a test reads them to detect flicker. */
const shown: string[] = [];

function Viewer() {
  const { data, isPending, error } = client.useSession();
  let text = "No one is signed in";
  if (isPending) text = "Looking";
  else if (error !== null) text = `Error ${error.status}`;
  else if (data !== null) text = `${data.user.name} ${data.user.lastname} <${data.user.email}>`;
  if (shown.at(-1) !== text) shown.push(text);
  return createElement("h1", null, text);
}

function Passkeys() {
  const { data } = client.useListPasskeys();
  return createElement("p", null, `Passkeys: ${data?.map(({ name }) => name).join() ?? "unknown"}`);
}

Object.assign(window, { client, shown });
const root = document.createElement("main");
document.body.append(root);
createRoot(root).render([
  createElement(Viewer, { key: "viewer" }),
  createElement(Passkeys, { key: "passkeys" }),
]);
