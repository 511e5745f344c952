/**
 * Every call of administrators, the library's and our own: it refuses all others, and each change stands
 * in the audit log with what was before.
 */
import { globSync, readFileSync } from "node:fs";
import { admin } from "better-auth/plugins";
import { expect, test, vi } from "vitest";
import { OPERATOR_ID } from "#contract/users.ts";
import { scan } from "#test/support/authenticator-app.ts";
import { openScene, recordOf, secondAdmin } from "./accounts-admin-scene.ts";
import type { TestBrowser } from "./accounts-server.ts";
import { describeEachDatabase } from "./databases.ts";

// Many passwords are hashed: on a busy machine that takes its time.
vi.setConfig({ testTimeout: 120_000 });

const OWN_CALL = /createAuthEndpoint\(\s*"(\/admin\/[^"]+)"/g;
const PATHS = [
  ...Object.values(admin().endpoints).map(({ path }) => path),
  ...globSync("src/server/accounts/**/*.ts").flatMap((file) =>
    Array.from(readFileSync(file, "utf8").matchAll(OWN_CALL), ([, path]) => path),
  ),
];
/** Asks what the caller may do, and ends the caller's own viewing. */
const FOR_EVERYBODY = ["/admin/has-permission", "/admin/stop-impersonating"];

interface Ids {
  readonly rootId: string;
  readonly userId: string;
}

type Asked = readonly [path: string, body: object | null];

const callsOn = ({ rootId, userId }: Ids): Asked[] => [
  ["/admin/list-users", null],
  [`/admin/get-user?id=${rootId}`, null],
  ["/admin/create-user", { email: "x@example.com", password: "long enough", name: "X" }],
  ["/admin/set-role", { userId, role: "admin" }],
  ["/admin/ban-user", { userId: rootId }],
  ["/admin/unban-user", { userId }],
  ["/admin/impersonate-user", { userId: rootId }],
  ["/admin/set-user-password", { userId: rootId, newPassword: "long enough" }],
  ["/admin/remove-user", { userId: rootId }],
  ["/admin/remove-second-factor", { userId: rootId }],
  ["/admin/update-user", { userId, data: { role: "admin" } }],
  ["/admin/list-user-sessions", { userId: rootId }],
  ["/admin/revoke-user-session", { sessionToken: "x" }],
  ["/admin/revoke-user-sessions", { userId: rootId }],
];
const READING = ["/admin/list-users", "/admin/get-user", "/admin/list-user-sessions"];

const ask = (by: TestBrowser, [path, body]: Asked) =>
  body === null ? by.get(path) : by.post(path, body);
const pathOf = ([path]: Asked) => path.split("?")[0];

/** What an administrator asks for in turn, and what then stands on record of the user. */
const CHANGES: readonly (readonly [path: string, body: object, title: string])[] = [
  ["/admin/set-role", { role: "admin" }, "Role changed: admin (before: user)"],
  ["/admin/update-user", { data: { role: "user" } }, "Role changed: user (before: admin)"],
  [
    "/admin/update-user",
    { data: { name: "Ada L.", lastname: "x".repeat(100), image: null } },
    `Profile changed by an administrator: name: "Ada L." (before: "Ada"), lastname: "${"x".repeat(100)}" (before: ""), image: none (before: none)`,
  ],
  [
    "/admin/ban-user",
    { banReason: "Spam" },
    "Account banned by an administrator: Spam (before: not banned)",
  ],
  [
    "/admin/update-user",
    { data: { banExpires: new Date("2999-01-01T00:00:00Z") } },
    "Account banned by an administrator: Spam, until 2999-01-01T00:00Z (before: banned, Spam)",
  ],
  [
    "/admin/unban-user",
    {},
    "Account unbanned by an administrator: before: banned, Spam, until 2999-01-01T00:00Z",
  ],
  [
    "/admin/set-user-password",
    { newPassword: "an entirely new password" },
    "Password changed: by an administrator (before: another)",
  ],
];
/** Those whose titles say that something was there and is gone, or the other way round. */
const OF_THEIR_OWN = [
  "/admin/create-user",
  "/admin/impersonate-user",
  "/admin/remove-user",
  "/admin/remove-second-factor",
  "/admin/revoke-user-session",
  "/admin/revoke-user-sessions",
];

test("the calls of administrators are those that the library and the server have", () => {
  const known = [...callsOn({ rootId: "", userId: "" }).map(pathOf), ...FOR_EVERYBODY];
  expect(known.toSorted()).toEqual(PATHS.toSorted());
  const changing = [...new Set([...CHANGES.map(([path]) => path), ...OF_THEIR_OWN])];
  const expected = PATHS.filter((path) => ![...READING, ...FOR_EVERYBODY].includes(path));
  expect(changing.toSorted()).toEqual(expected.toSorted());
});

describeEachDatabase("calls of administrators", (openDatabase) => {
  test("answer no visitor, no user, and no one who views as another, even as an administrator", async () => {
    const { server, root, user, ...ids } = await openScene(openDatabase);
    const second = await secondAdmin(server);
    const visitor = server.browser();
    for (const asked of callsOn(ids)) {
      expect([asked[0], (await ask(user, asked)).status]).toEqual([asked[0], 403]);
      expect([asked[0], (await ask(visitor, asked)).status]).toEqual([asked[0], 401]);
    }
    expect((await user.post("/admin/stop-impersonating", {})).status).toBe(400);
    const permissions = { user: ["list"] };
    const mayList = await user.post("/admin/has-permission", { permissions });
    expect(mayList.body).toMatchObject({ success: false });

    await root.post("/admin/impersonate-user", { userId: ids.userId });
    for (const asked of callsOn(ids)) {
      expect([asked[0], (await ask(root, asked)).status]).toEqual([asked[0], 403]);
    }
    await second.browser.post("/admin/set-role", { userId: ids.userId, role: "admin" });
    for (const asked of callsOn(ids)) {
      const { status } = await ask(root, asked);
      expect([asked[0], status === 401 || status === 403]).toEqual([asked[0], true]);
    }
    const users = await server.database.read.selectFrom("user").select("id").execute();
    expect(users).toHaveLength(3);
  });

  test("are on record with what was before", async () => {
    const { server, root, rootId, userId } = await openScene(openDatabase);
    for (const [path, body, title] of CHANGES) {
      const { status, text } = await root.post(path, { userId, ...body });
      expect([path, status, text]).toEqual([path, 200, text]);
      expect(await recordOf(server, userId, 1)).toEqual([[title, rootId]]);
    }
    const created = { email: "new@example.com", password: "correct horse battery", name: "New" };
    const { user } = (await root.post("/admin/create-user", { ...created, role: "admin" })).body;
    expect(await recordOf(server, user.id, 1)).toEqual([
      ["Signed up: with the role admin", rootId],
    ]);
  });

  test("give a first password to who had none, on record", async () => {
    const { server, root, rootId, userId } = await openScene(openDatabase);
    const accounts = server.database.write.deleteFrom("account").where("userId", "=", userId);
    await accounts.execute();
    const newPassword = "an entirely new password";
    await root.post("/admin/set-user-password", { userId, newPassword });
    const title = "Password changed: by an administrator (before: none)";
    expect(await recordOf(server, userId, 1)).toEqual([[title, rootId]]);
    expect((await server.browser().signIn("ada@example.com", newPassword)).status).toBe(200);
  });

  test("and the command that makes an administrator are on record, as done by the command line", async () => {
    const { server, user, userId } = await openScene(openDatabase);
    const enabled = await user.post("/two-factor/enable", { password: "correct horse battery" });
    await user.post("/two-factor/verify-totp", { code: scan(enabled.body.totpURI).code() });
    const admins = [
      { email: "ada@example.com", password: "an entirely new password", name: "Ada" },
      { email: "new@example.com", password: "an entirely new password", name: "New" },
    ];
    const [, { userId: newId }] = [
      await server.accounts.createAdmin(admins[0]),
      await server.accounts.createAdmin(admins[1]),
    ];
    expect((await recordOf(server, userId, 5)).slice(0, 4)).toEqual(
      [
        "Password changed: on the command line (before: another)",
        "Two-factor sign-in removed by an administrator: on the command line",
        "Role changed: admin (before: user)",
        "Email address confirmed: on the command line (before: not confirmed)",
      ].map((title) => [title, OPERATOR_ID]),
    );
    const signedUp = ["Signed up: with the role admin", OPERATOR_ID];
    expect(await recordOf(server, newId, 1)).toEqual([signedUp]);
  });
});
