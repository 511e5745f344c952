import { request } from "node:http";
import { expect, test } from "vitest";
import { startAccounts, type TestServer } from "./accounts-server.ts";
import { describeEachDatabase } from "./databases.ts";

/** fetch cannot choose the Host header; this can. */
function getAs(
  server: TestServer,
  path: string,
  host?: string,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const headers = host === undefined ? {} : { host };
    request({ hostname, port, path, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    })
      .on("error", reject)
      .end();
  });
}

describeEachDatabase("pages of the accounts", (openDatabase) => {
  test("the outbox lists mails and shows each, with everything escaped", async () => {
    const server = await startAccounts(await openDatabase());
    expect((await getAs(server, "/outbox")).text).toContain("It is empty.");
    await server.browser().signUp("ada@example.com", { name: "<script>alert(1)</script>" });
    const link = await server.mailLink("ada@example.com", /confirm/i);
    const list = await getAs(server, "/outbox");
    expect(list.text).toContain("Confirm your email address for Openbell");
    const path = /href="(\/outbox\/[^"]+)"/.exec(list.text)?.[1] ?? "";
    const mail = await getAs(server, path);
    expect(mail.status).toBe(200);
    expect(mail.text).toContain(`<a href="${link.replaceAll("&", "&amp;")}">`);
    expect(mail.text).not.toContain("<script");
    expect((await getAs(server, "/outbox/none")).status).toBe(404);
  });

  test("the outbox is shown to this machine only, under its own name only", async () => {
    const server = await startAccounts(await openDatabase());
    expect((await getAs(server, "/outbox", "localhost")).status).toBe(200);
    expect((await getAs(server, "/outbox", "rebound.example")).status).toBe(403);
    server.clientAddress = "192.168.1.20";
    expect((await getAs(server, "/outbox")).status).toBe(403);
  });

  // Behind a proxy that says nothing of itself all requests look like those of this machine.
  test.each([
    ["in production", { ENVIRONMENT: "production" }],
    ["behind an https address", { PUBLIC_URL: "https://exchange.example" }],
  ])("%s there is no outbox page", async (_, environment) => {
    const server = await startAccounts(await openDatabase(), environment);
    expect((await getAs(server, "/outbox", "localhost")).status).toBe(404);
    expect((await getAs(server, "/outbox/any", "localhost")).status).toBe(404);
  });

  test("the error page shows the code, Unknown by default", async () => {
    const server = await startAccounts(await openDatabase(), { ENVIRONMENT: "production" });
    const answer = await server.browser().get("/error");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(answer.text).toContain("<code>Unknown</code>");
    expect((await server.browser().get("/error?error=no_code")).text).toContain(
      "<code>no_code</code>",
    );
  });

  test("only 200 mails are kept", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const rows = Array.from({ length: 205 }, (_, each) => ({
      id: `mail-${String(each).padStart(3, "0")}`,
      created_at_ms: each + 1,
      recipient: "a@example.com",
      subject: "s",
      html: "",
      text: "",
    }));
    for (const row of rows) await database.write.insertInto("outbox_mails").values(row).execute();
    await server.browser().signUp("ada@example.com");
    await server.mailLink("ada@example.com", /confirm/i);
    await server.accounts.close();
    const kept = await database.read.selectFrom("outbox_mails").select("id").execute();
    expect(kept).toHaveLength(200);
    expect(kept.map((row) => row.id)).not.toContain("mail-005");
    expect(kept.map((row) => row.id)).toContain("mail-006");
  });
});
