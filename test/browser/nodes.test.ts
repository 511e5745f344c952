/** The nodes of an exchange on NATS and PostgreSQL, as an administrator sees them, and how the leader steps down. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freshStream, sharedCluster } from "../contract/journals.ts";
import { sharedChromium } from "../support/chromium.ts";
import { describeOnNats } from "../support/on-nats.ts";
import { hasPostgres, onPostgres, postgresUrlOf } from "../support/own-database.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { expectFit } from "./axe.ts";
import { openPage, register } from "./people.ts";

const DATABASE = `openbell_nodes_page_${process.pid}`;
const ADMIN_EMAIL = "root@example.com";

(hasPostgres ? describeOnNats : () => test.skip("nodes (skipped: there is no PostgreSQL)"))(
  "the nodes",
  () => {
    const cluster = sharedCluster();
    let server: RunningServer;
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      await onPostgres(`create database ${DATABASE}`);
      server = await startServerProcess({
        DATABASE_URL: postgresUrlOf(DATABASE),
        NATS_URL: cluster().address(freshStream()),
        AUTH_SECRET: "0123456789abcdef0123456789abcdef",
        ADMIN_EMAIL,
        SIMULATION: "off",
      });
      browser = await sharedChromium();
      // axe is put into the page, which its policy would refuse.
      const context = await browser.newContext({ bypassCSP: true });
      await register(context, server.url, ADMIN_EMAIL);
      ({ page } = await openPage(context));
    });
    afterAll(async () => {
      await browser.close();
      await server.remove();
      await onPostgres(`drop database ${DATABASE} with (force)`);
    });

    test("are shown with role and position, and the leader steps down for a reason", async () => {
      await page.goto(`${server.url}/admin`);
      const node = page.getByRole("list", { name: "Nodes" }).getByRole("listitem");
      await node.getByText("Leads", { exact: true }).waitFor();
      expect(await node.innerText()).toMatch(/, process \d+\s+since .*term 1, sequence \d+/s);
      expect(await node.innerText()).toContain("up to date");
      await page.getByText("1 node answers", { exact: true }).waitFor();
      await expectFit(page, "with nodes", { texts: true });

      await page.getByRole("button", { name: "Step down" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Step down" }).click();
      await dialog.getByText("Say why").waitFor();
      await dialog.getByLabel("Reason").fill("a new kernel");
      await dialog.getByRole("button", { name: "Step down" }).click();
      await page.getByText("The leader has stepped down.").waitFor();
      await node.getByText("Standby", { exact: true }).waitFor();
      expect(server.output()).toMatch(/the administrator [^"]+: a new kernel/);
      // No other takes the lead.
      await node.getByText("Leads", { exact: true }).waitFor();
      await node.getByText(/term 2,/).waitFor();
    });
  },
);
