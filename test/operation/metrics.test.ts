/** What Prometheus reads of a running exchange, and the dashboard, rules and tables made for it. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";

const TOKEN = "a token of an operator";

let server: RunningServer;
beforeAll(async () => {
  server = await startServerProcess({ METRICS_TOKEN: TOKEN });
});
afterAll(() => server?.remove());

function ask(authorization?: string, method = "GET"): Promise<Response> {
  return fetch(`${server.url}/metrics`, {
    method,
    headers: authorization === undefined ? {} : { authorization },
  });
}

async function readMetrics(): Promise<string> {
  const answer = await ask(`Bearer ${TOKEN}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toContain("text/plain");
  return answer.text();
}

/** The value of one sample, such as `openbell_up` or `openbell_problem{part="disk"}`. */
function sample(text: string, name: string): number {
  const line = text.split("\n").find((candidate) => candidate.startsWith(`${name} `));
  expect(line, name).toBeDefined();
  return Number(line?.slice(name.length));
}

test("only who knows the token reads them", async () => {
  for (const authorization of [undefined, "Bearer", `Bearer ${TOKEN}x`, `Basic ${TOKEN}`]) {
    const answer = await ask(authorization);
    expect(answer.status, authorization).toBe(401);
    expect(await answer.text()).not.toContain("openbell_");
  }
  expect((await ask(`Bearer ${TOKEN}`, "POST")).status).toBe(405);
});

test("commands, times and states follow what happens", async () => {
  const missing = 'openbell_http_request_seconds_count{area="pages",status="4xx"}';
  const before = await readMetrics();
  const missingBefore = before.includes(missing) ? sample(before, missing) : 0;
  const answer = await fetch(`${server.url}/no-such-page`);
  expect(answer.status).toBe(404);
  // The simulation trades.
  const commands = (text: string) => sample(text, 'openbell_commands_total{outcome="accepted"}');
  await expect.poll(async () => commands(await readMetrics())).toBeGreaterThan(commands(before));
  const after = await readMetrics();
  expect(sample(after, "openbell_up")).toBe(1);
  expect(sample(after, "openbell_sequence")).toBeGreaterThan(sample(before, "openbell_sequence"));
  expect(sample(after, "openbell_command_seconds_count")).toBeGreaterThan(0);
  expect(sample(after, 'openbell_problem{part="exchange"}')).toBe(0);
  expect(sample(after, 'openbell_data_bytes{part="journal"}')).toBeGreaterThan(0);
  expect(sample(after, 'openbell_data_bytes{part="database"}')).toBeGreaterThan(0);
  expect(sample(after, "openbell_disk_free_bytes")).toBeGreaterThan(0);
  // Counted once the answer has been sent, which may be after it was read here.
  await expect.poll(async () => sample(await readMetrics(), missing)).toBe(missingBefore + 1);
});

test("a path of the client's choice becomes no label", async () => {
  const secret = "chosen-by-a-stranger";
  await fetch(`${server.url}/api/${secret}`);
  await fetch(`${server.url}/${secret}`);
  expect(await readMetrics()).not.toContain(secret);
});

test("every metric that the dashboard, the rules and the documents name exists, and each of ours is documented", async () => {
  const text = await readMetrics();
  const existing = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
      type === "histogram" ? [name, `${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  );
  const named = (file: string) =>
    readFileSync(new URL(`../../${file}`, import.meta.url), "utf8").match(
      /\b(?:openbell|nodejs|process)_[a-z0-9_]*[a-z0-9]\b/g,
    ) ?? [];
  for (const file of [
    "deploy/grafana/openbell.json",
    "deploy/prometheus/openbell-alerts.yaml",
    "docs/operations.md",
  ]) {
    const names = new Set(named(file));
    expect(names.size, file).toBeGreaterThan(5);
    expect(
      [...names].filter((name) => !existing.has(name)),
      file,
    ).toEqual([]);
  }
  const ours = [...text.matchAll(/^# TYPE (openbell_\S+)/gm)].map(([, name]) => name);
  const documented = new Set<string>(named("docs/operations.md"));
  expect(ours.filter((name) => !documented.has(name))).toEqual([]);
});

test("without a token there is no such address", async () => {
  const other = await startServerProcess();
  try {
    const answer = await fetch(`${other.url}/metrics`, { headers: { authorization: "Bearer " } });
    expect(answer.status).toBe(404);
  } finally {
    await other.remove();
  }
});
