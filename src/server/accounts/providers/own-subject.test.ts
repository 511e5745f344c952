import type { OAuthProvider } from "better-auth/oauth2";
import { UnsecuredJWT } from "jose";
import { expect, test } from "vitest";
import { withOwnSubject } from "./own-subject.ts";

const idToken = new UnsecuredJWT({ sub: "eve", email: "eve@example.com" }).encode();

/** The user info that belongs to the access token, for a user with this subject. */
async function foundOf(sub: string | undefined, isOpenId: boolean) {
  const provider = {
    getUserInfo: async () => ({ user: { id: "1", emailVerified: true }, data: { sub } }),
  } as unknown as OAuthProvider;
  return withOwnSubject(provider, { isOpenId }).getUserInfo({ idToken, accessToken: "given" });
}

test("user info of another subject than the identity token's is none", async () => {
  expect(await foundOf("eve", true)).toMatchObject({ data: { sub: "eve" } });
  expect(await foundOf("ada", true)).toBeNull();
  expect(await foundOf("ada", false)).toBeNull();
});

test("user info without a subject is none of an OpenID provider", async () => {
  expect(await foundOf(undefined, true)).toBeNull();
  expect(await foundOf(undefined, false)).toMatchObject({ user: { id: "1" } });
});
