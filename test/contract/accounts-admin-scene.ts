/** An administrator and a user, both signed in, and what stands on record of them. */
import { startAccounts, type TestBrowser, type TestServer } from "./accounts-server.ts";
import type { OpenTestDatabase } from "./databases.ts";

interface Scene {
  readonly server: TestServer;
  readonly root: TestBrowser;
  readonly rootId: string;
  readonly user: TestBrowser;
  readonly userId: string;
}

export async function openScene(
  openDatabase: OpenTestDatabase,
  settings: Record<string, string> = {},
): Promise<Scene> {
  const environment = { ADMIN_EMAIL: "root@example.com", ...settings };
  const server = await startAccounts(await openDatabase(), environment);
  const [root, user] = [server.browser(), server.browser()];
  const rootId: string = (await root.signUp("root@example.com")).body.user.id;
  const userId: string = (await user.signUp("ada@example.com")).body.user.id;
  return { server, root, rootId, user, userId };
}

/** A second administrator, signed in. */
export async function secondAdmin(
  server: TestServer,
): Promise<{ id: string; browser: TestBrowser }> {
  const admin = { email: "second@example.com", password: "correct horse battery", name: "Second" };
  const { userId: id } = await server.accounts.createAdmin(admin);
  const browser = server.browser();
  await browser.signIn(admin.email);
  return { id, browser };
}

/** The sentences of a user's newest events with who did it, oldest first. */
export async function recordOf({ accounts }: TestServer, userId: string, limit: number) {
  const { items } = await accounts.securityEvents({ userId, limit });
  return items.map(({ title, actorId }) => [title, actorId]).toReversed();
}
