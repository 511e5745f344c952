/** What the documents and the files for operators name is there: files, settings, commands. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { fileSettingOf, SECRET_SETTINGS } from "#server/settings/secret-files.ts";
import { settings } from "#server/settings/config.ts";

const DOCUMENTS = [
  ...readdirSync(".").filter((name) => name.endsWith(".md")),
  ...["docs", "docs/decisions"].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".md"))
      .map((name) => join(folder, name)),
  ),
];
const DEPLOYED = readdirSync("deploy", { recursive: true, encoding: "utf8" })
  .map((name) => join("deploy", name))
  .filter((path) => path.includes("."));
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
  scripts: Record<string, string>;
};
const usage = spawnSync(process.execPath, ["scripts/openbell.js", "help"], { encoding: "utf8" });
const SETTINGS = new Set([...Object.keys(settings), ...SECRET_SETTINGS.map(fileSettingOf)]);

/** Matches of the first group. */
function namedIn(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name]) => name))];
}

describe.each(DOCUMENTS)("%s", (path) => {
  const text = readFileSync(path, "utf8");

  test("links to files that are there", () => {
    const links = namedIn(text, /\]\((?!https?:|#|mailto:)([^)#\s]+)/g);
    expect(links.filter((link) => !existsSync(join(dirname(path), link)))).toEqual([]);
  });

  test("names commands that exist", () => {
    const runs = namedIn(text, /\bnpm run ([a-z][a-z-]*)/g);
    expect(runs.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    const commands = namedIn(text, /npx openbell ([a-z][a-z-]*)/g);
    expect(commands.filter((name) => !usage.stdout.includes(`openbell ${name}`))).toEqual([]);
  });
});

test.each([...DEPLOYED, "docs/first-exchange.md", "docs/catalogue.md"])(
  "%s sets nothing that is no setting",
  (path) => {
    const text = readFileSync(path, "utf8");
    const names = namedIn(text, /(?:^|Environment=|\s)([A-Z][A-Z]+(?:_[A-Z]+)*)=/gm);
    expect(names.filter((name) => !SETTINGS.has(name))).toEqual([]);
  },
);

interface ComposeFile {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly depends_on?: object;
        readonly secrets?: readonly string[];
        readonly configs?: readonly { readonly source: string }[];
        readonly volumes?: readonly string[];
        readonly env_file?: string;
      }
    >
  >;
  readonly volumes: object;
  readonly secrets: object;
  readonly configs?: Readonly<Record<string, { readonly file: string }>>;
}

test.each(["deploy/compose.yaml", "deploy/cluster/compose.yaml"])(
  "%s names only services, volumes, secrets and files that are there",
  (path) => {
    const file = parse(readFileSync(path, "utf8"), { merge: true }) as ComposeFile;
    const missing = Object.values(file.services).flatMap((service) => {
      const { depends_on: others = {}, configs = [], secrets = [], volumes = [] } = service;
      return [
        ...(Array.isArray(others) ? (others as string[]) : Object.keys(others)).filter(
          (other) => !Object.hasOwn(file.services, other),
        ),
        ...volumes.filter((volume) => !Object.hasOwn(file.volumes, volume.split(":")[0])),
        ...secrets.filter((secret) => !Object.hasOwn(file.secrets, secret)),
        ...configs.filter(({ source }) => !Object.hasOwn(file.configs ?? {}, source)),
      ];
    });
    expect(missing).toEqual([]);
    for (const { file: config } of Object.values(file.configs ?? {})) {
      expect(existsSync(join(dirname(path), config)), config).toBe(true);
    }
  },
);

test("the configuration of the cluster's NATS servers names them all, and nats-server accepts it", (context) => {
  const file = parse(readFileSync("deploy/cluster/compose.yaml", "utf8"), {
    merge: true,
  }) as ComposeFile;
  const servers = Object.keys(file.services).filter((name) => name.startsWith("nats-"));
  const config = readFileSync("deploy/cluster/nats.conf", "utf8");
  expect(namedIn(config, /"nats:\/\/([\w-]+):6222"/g)).toEqual(servers);
  const run = (args: string[]) =>
    spawnSync(process.env.NATS_SERVER ?? "/usr/sbin/nats-server", args, {
      encoding: "utf8",
      env: { SERVER_NAME: "one", NATS_PASSWORD: "secret" },
    });
  const { error, stdout: version } = run(["--version"]);
  if (error !== undefined) context.skip("nats-server is not on this machine");
  const folder = mkdtempSync(join(tmpdir(), "openbell-nats-config-"));
  try {
    const path = join(folder, "nats.conf");
    // 2.9 has all but one of the settings.
    const known = version.includes("v2.9.") ? config.replace(/^ *sync_interval.*\n/m, "") : config;
    writeFileSync(path, known.replace('"/data"', JSON.stringify(folder)));
    const { status, stderr } = run(["-t", "--config", path]);
    expect(status, stderr).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the balancer's configuration is one that HAProxy accepts", (context) => {
  const args = ["-c", "-f", "deploy/cluster/haproxy.cfg"];
  const { error, status, stderr } = spawnSync("haproxy", args, { encoding: "utf8" });
  if (error !== undefined) context.skip("HAProxy is not on this machine");
  expect(status, stderr).toBe(0);
});

test("the balancer of several nodes passes requests to those that are ready", () => {
  const file = parse(readFileSync("deploy/cluster/compose.yaml", "utf8"), {
    merge: true,
  }) as ComposeFile;
  const nodes = Object.keys(file.services).filter((name) => name.startsWith("node-"));
  expect(nodes).toHaveLength(3);
  const balancer = readFileSync("deploy/cluster/haproxy.cfg", "utf8");
  expect(namedIn(balancer, /^ {2}server \w+\s+([\w-]+):3000$/gm)).toEqual(nodes);
  expect(namedIn(balancer, /http-check send meth GET uri (\S+)/g)).toEqual(["/api/health/ready"]);
});

test("the service's unit is one that systemd accepts", (context) => {
  const unit = "deploy/systemd/openbell.service";
  const { error, stderr } = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
  if (error !== undefined) context.skip("systemd is not on this machine");
  // The program is not installed here.
  const said = stderr.split("\n").filter((line) => line.includes("openbell.service"));
  expect(said.filter((line) => !line.includes("is not executable"))).toEqual([]);
});

test("the Caddyfile is one that Caddy accepts", (context) => {
  const args = ["validate", "--adapter", "caddyfile", "--config", "deploy/Caddyfile"];
  const { error, status, stderr } = spawnSync("caddy", args, { encoding: "utf8" });
  if (error !== undefined) context.skip("Caddy is not on this machine");
  expect(status, stderr).toBe(0);
});
