import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { createInProcessExchange } from "#test/support/in-process-exchange.ts";
import { Catalogue } from "../views/catalogue.ts";
import { CatalogueError, catalogueFileSchema, readCatalogueFile } from "./catalogue-file.ts";
import { catalogueRequests } from "./catalogue-requests.ts";
import { declareCatalogue, type DeclaredCatalogue } from "./declared-catalogue.ts";
import { defaultCatalogue } from "./default-catalogue.ts";
import { ListedCatalogue, installCatalogue } from "./install-catalogue.ts";
import { feeWarnings } from "./fee-warnings.ts";
import { planWarnings } from "./plan-warnings.ts";
import { readCatalogue } from "./read-catalogue.ts";

const COMMUNITY = "catalogues/community.yaml";
const community = readFileSync(COMMUNITY, "utf8");

async function exchangeWith(declared: DeclaredCatalogue) {
  const exchange = createInProcessExchange(0);
  const listed = new ListedCatalogue();
  const listing = new Catalogue();
  exchange.subscribe((batch) => {
    listed.fold(batch);
    for (const event of batch) listing.fold(event);
  });
  await installCatalogue(exchange, listed, declared);
  const { participants, planLimits, practiceFunds } = declared;
  const ask = catalogueRequests({ listing, exchange, participants, planLimits, practiceFunds });
  return { exchange, listed, listing, ask };
}

function sentencesOf(run: () => unknown): readonly string[] {
  try {
    run();
  } catch (error) {
    if (error instanceof CatalogueError) return error.sentences;
    throw error;
  }
  return [];
}

describe.each(readdirSync("catalogues"))("the ready file %s", (name) => {
  test("begins an exchange that is as it says, and is shown as the same file", async () => {
    const { file, declared } = readCatalogue(`catalogues/${name}`);
    const { ask, listing } = await exchangeWith(declared);
    expect(listing.markets()).toHaveLength(file.markets.length);
    const shown = ask["/catalogue/show"]();
    expect(readCatalogueFile(shown.lines.join("\n"))).toEqual(file);
    const planned = await ask["/catalogue/plan"](readFileSync(`catalogues/${name}`, "utf8"));
    expect(planned).toEqual({ lines: ["Nothing would change."], isRefused: false });
  });
});

test("the file of the default catalogue declares the default catalogue", () => {
  const [{ planLimits, ...declared }, expected] = [
    readCatalogue("catalogues/simulated.yaml").declared,
    defaultCatalogue(true),
  ];
  expect({ ...declared, planLimits: expected.planLimits }).toEqual(expected);
  for (const { slug } of declared.plans) {
    expect(planLimits(slug)).toEqual(expected.planLimits(slug));
  }
});

test("a file of funded coins keeps them apart from practice money", () => {
  const funded = readFileSync("catalogues/funded.yaml", "utf8");
  const practice = funded.replace(/    transfers:\n      withdrawalMin: "1"[^]*?memo: true\n/, "");
  expect(practice).not.toBe(funded);
  expect(sentencesOf(() => declareCatalogue(readCatalogueFile(practice)))).toEqual([
    "market MEET-EUR: one of its coins has transfers, the other is practice money.",
    "practiceFunds: must name at least one coin.",
  ]);
  const given = funded.replace("practiceFunds: {}", 'practiceFunds: { EUR: "5" }');
  expect(sentencesOf(() => declareCatalogue(readCatalogueFile(given)))).toEqual([
    "practiceFunds: EUR has transfers, so it cannot be given.",
  ]);
});

test("a market of a coin that the file lacks is one mistake", () => {
  const funded = readFileSync("catalogues/funded.yaml", "utf8");
  const mistyped = funded.replace("symbol: MEET-EUR", "symbol: MEAT-EUR");
  expect(sentencesOf(() => declareCatalogue(readCatalogueFile(mistyped)))).toEqual([
    "market MEAT-EUR: the file has no coin MEAT.",
  ]);
});

test("docs/catalogue.schema.json is what npm run docs writes", () => {
  const written = JSON.parse(readFileSync("docs/catalogue.schema.json", "utf8")) as unknown;
  expect(written).toEqual(JSON.parse(JSON.stringify(catalogueFileSchema())));
});

test("a file has no null characters, which PostgreSQL's history could not store", () => {
  const withNull = community.replace(/^( *- symbol: MEET\n *name: ).*$/m, '$1"Meet\\0up"');
  expect(withNull).not.toBe(community);
  expect(sentencesOf(() => readCatalogueFile(withNull))).toEqual([
    expect.stringMatching(/^coins\.\d\.name: must not contain null characters\.$/),
  ]);
});

test("a second start changes nothing, also with the default catalogue", async () => {
  const { exchange, listed } = await exchangeWith(readCatalogue(COMMUNITY).declared);
  const { sequence } = exchange.engine;
  await installCatalogue(exchange, listed, readCatalogue(COMMUNITY).declared);
  await installCatalogue(exchange, listed, defaultCatalogue(true));
  expect(exchange.engine.sequence).toBe(sequence);
});

test("changes are planned in words, carried out once, and change nothing again", async () => {
  const { exchange, ask, listing } = await exchangeWith(readCatalogue(COMMUNITY).declared);
  const changed = community
    .replace("priceBandBps: 2000", "priceBandBps: 3000")
    .replace("takerFeeBps: 10", "takerFeeBps: 12")
    .replace(
      "plans:",
      "  - { symbol: TEA, name: Tea, kind: token, decimals: 2, shownDecimals: 2 }\n\nplans:",
    );
  const { sequence } = exchange.engine;
  const planned = await ask["/catalogue/plan"](changed);
  expect(exchange.engine.sequence).toBe(sequence);
  const sentences = [
    "  coin TEA: new, Tea",
    "  plan member: takerFeeBps 10 → 12; for new orders",
    "  market MEET-PTS: priceBandBps 2000 → 3000",
  ];
  expect(planned.lines.slice(1, 4)).toEqual(sentences);
  expect(await ask["/catalogue/apply"](changed)).toEqual({
    lines: ["Changed:", ...sentences],
    isRefused: false,
  });
  expect(listing.marketBySymbol("MEET-PTS")?.definition.priceBandBps).toBe(3000);
  const after = exchange.engine.sequence;
  expect(await ask["/catalogue/apply"](changed)).toEqual({
    lines: ["Nothing had to change."],
    isRefused: false,
  });
  expect(exchange.engine.sequence).toBe(after);
});

test.each([
  ["decimals: 6", "decimals: 5", "coin MEET: decimals cannot change once it is listed"],
  [
    'quantityStep: "0.01"',
    'quantityStep: "0.1"',
    "market MEET-PTS: quantityStep cannot change once it is listed",
  ],
  ["settlementCoin: PTS", "settlementCoin: MEET", "settlementCoin: cannot change (PTS → MEET)"],
])("%s → %s is refused, and with it the rest of the file", async (from, to, reason) => {
  const { exchange, ask } = await exchangeWith(readCatalogue(COMMUNITY).declared);
  const { sequence } = exchange.engine;
  const changed = community.replace(from, to).replace("takerFeeBps: 10", "takerFeeBps: 12");
  const answer = await ask["/catalogue/apply"](changed);
  expect(answer.isRefused).toBe(true);
  expect(answer.lines.join("\n")).toContain(reason);
  expect(exchange.engine.sequence).toBe(sequence);
});

test("a state that an administrator chose stays, whatever the file says", async () => {
  const { exchange, ask } = await exchangeWith(readCatalogue(COMMUNITY).declared);
  const halt = {
    marketId: 1,
    status: "halted",
    forMs: 0,
    byAdmin: "anna",
    reason: "test",
  } as const;
  await exchange.submit({ type: "setMarketStatus", ...halt });
  const changed = community.replace("priceBandBps: 2000", "priceBandBps: 3000");
  expect(await ask["/catalogue/plan"](community)).toMatchObject({
    lines: ["Nothing would change."],
  });
  expect(await ask["/catalogue/apply"](changed)).toMatchObject({ isRefused: false });
  expect(exchange.engine.read.marketState(1).status).toBe("halted");
});

test("what is listed and not in the file stays, and is named", async () => {
  const { ask, listing } = await exchangeWith(readCatalogue(COMMUNITY).declared);
  const file = readCatalogueFile(community);
  const answer = await ask["/catalogue/apply"](stringify({ ...file, markets: [] }));
  expect(answer.lines).toEqual([
    "Nothing had to change.",
    "Listed but not in the file, so left as it is:",
    "  market MEET-PTS",
  ]);
  expect(listing.markets()).toHaveLength(1);
});

test.each([
  ["coins: 3", /coins: must be a list, and is a number/],
  ["", /^The file: must be an object, and is empty\.$/],
  [
    community.replace("takerFeeBps: 10", "takerFeeBps: 10.5"),
    /takerFeeBps must be a whole number\.$/m,
  ],
  [
    community.replace("decimals: 4", "decimals: four"),
    /decimals must be a number, and is a text\.$/m,
  ],
  ["a: 1\n[", /^The file is neither YAML nor JSON: [^\n]+ at line 2, column \d+\.$/],
  ["a: &a [1]\nb: [*a, *a]", /^The file is neither YAML nor JSON: [^\n]+\.$/],
  [community.replace("kind: points", "kind: stone"), /^coin PTS: kind must be [^\n]+\.$/],
  [community.replace("symbol: PTS", "symbol: 3"), /^coin 1 of the file: symbol must be/m],
  [community.replace("takerFeeBps:", "takerFee:"), /^plan member: takerFeeBps is missing\.$/m],
  [community.replace('"0.1"', "1e-9"), /smallestOrder must be a decimal/],
  [community.replace("riskNote", "risknote"), /^coin \w+: there is no field "risknote"\.$/],
])("a file that is wrong in itself is refused with the place: %#", (text, reason) => {
  expect(sentencesOf(() => readCatalogueFile(text)).join("\n")).toMatch(reason);
});

test.each([
  ["symbol: MEET\n", "symbol: PTS\n", "coin PTS: is in the file twice."],
  ["MEET-PTS", "MEET-EUR", "market MEET-EUR: the file has no coin EUR."],
  ['priceStep: "0.01"', 'priceStep: "0.05"', "priceStep must be 1, 0.1, 0.01 and so on"],
  ['priceStep: "0.01"', 'priceStep: "0.0001"', "must have at most 4 decimals, those of PTS"],
  ['largestOrder: "10000"\n    features', 'largestOrder: "0.00001"\n    features', "plan member:"],
  ["eligibility: everyone", "eligibility: assigned", "plan member: is the first"],
  ['MEET: "25"', 'TEA: "25"', "practiceFunds: the file has no coin TEA."],
  ["shownDecimals: 2", "shownDecimals: 9", "coin PTS: shownDecimals must be at most decimals."],
  ["priceBandBps: 2000", "simulated: true\n    priceBandBps: 2000", "simulated must be false"],
  ['largestQuantity: "1000"', 'largestQuantity: "1e9"', "largestQuantity"],
])("%s → %s contradicts the rest and is refused", (from, to, reason) => {
  const text = community.replace(from, to);
  expect(text).not.toBe(community);
  expect(sentencesOf(() => declareCatalogue(readCatalogueFile(text))).join("\n")).toContain(reason);
});

describe("simulated participants", () => {
  const simulated = readFileSync("catalogues/simulated.yaml", "utf8");
  const without = simulated.slice(0, simulated.indexOf("participants:"));
  const begin = () => exchangeWith(readCatalogue("catalogues/simulated.yaml").declared);

  test("are the default ones in a file of simulated markets that names none, and shown", async () => {
    const { participants } = declareCatalogue(readCatalogueFile(without));
    expect(participants).toEqual(defaultCatalogue(true).participants);
    const { ask } = await begin();
    const shown = readCatalogueFile(ask["/catalogue/show"]().lines.join("\n"));
    expect(shown.participants).toEqual(participants);
    expect(await ask["/catalogue/plan"](without)).toMatchObject({
      lines: ["Nothing would change."],
    });
    expect(await ask["/catalogue/apply"](simulated)).toMatchObject({
      lines: ["Nothing had to change."],
    });
  });

  test("keep the first plan where the file does not have theirs", () => {
    const plans = simulated
      .slice(0, simulated.indexOf("  - slug: active"))
      .concat(simulated.slice(simulated.indexOf("\nmarkets:"), simulated.indexOf("participants:")));
    const { participants } = declareCatalogue(readCatalogueFile(plans));
    expect(participants.map(({ plan }) => plan)).toEqual(participants.map(() => undefined));
  });

  test("are none of a file without simulated markets, which says nothing of them", async () => {
    const { ask } = await begin();
    const file = { ...readCatalogueFile(without), markets: [] };
    const { lines } = await ask["/catalogue/plan"](stringify(file));
    expect(lines.filter((line) => line.includes("participant"))).toEqual([]);
    const { ask: communal } = await exchangeWith(readCatalogue(COMMUNITY).declared);
    expect(communal["/catalogue/show"]().lines.join("\n")).not.toContain("participants");
  });

  const why =
    "while the exchange runs: only a start reads participants, from the file that the setting CATALOGUE " +
    "names. Put them there and restart the exchange, then apply the rest";
  test.each([
    ["pacePercent: 40", "pacePercent: 80", `noise-1: pacePercent cannot change (40 → 80) ${why}`],
    ["style: noiseTrader", "style: trendFollower", "noise-1: style cannot change"],
    ["plan: active", "plan: pro", `trend-1: plan cannot change (active → pro) ${why}`],
    ["name: noise-1", "name: noise-4", `participant noise-4: cannot begin ${why}`],
    ["sizePercent: 110", 'markets: ["BTC-USD"]', 'maker-near: markets cannot change (none → ["BTC'],
  ])("%s → %s is refused while they trade, with the rest of the file", async (from, to, reason) => {
    const { exchange, ask } = await begin();
    const { sequence } = exchange.engine;
    const changed = simulated.replace(from, to).replace("name: Bitcoin", "name: Bitcoins");
    for (const request of ["/catalogue/plan", "/catalogue/apply"] as const) {
      const answer = await ask[request](changed);
      expect(answer.isRefused).toBe(true);
      expect(answer.lines.join("\n")).toContain(reason);
    }
    expect(exchange.engine.sequence).toBe(sequence);
  });

  test("are named where the file lacks them, and trade on", async () => {
    const { ask } = await begin();
    const fewer = simulated.replace(/  - name: noise-1\n.*\n.*\n/, "");
    expect(await ask["/catalogue/apply"](fewer)).toEqual({
      lines: [
        "Nothing had to change.",
        "Listed but not in the file, so left as it is:",
        "  participant noise-1",
      ],
      isRefused: false,
    });
  });

  test.each([
    ["name: noise-2", "name: noise-1", "participant noise-1: is in the file twice."],
    ["plan: active", "plan: gold", "trend-1: plan must be one of the file, which has no gold."],
    [
      "pacePercent: 40",
      "markets: [BTC-USD, MEET-PTS]",
      "noise-1: markets must be simulated markets of the file, and MEET-PTS is not.",
    ],
    [
      "pacePercent: 40",
      "distancePercent: 9",
      "noise-1: distancePercent is for a marketMaker alone.",
    ],
    ["style: noiseTrader", "style: whale", "participant noise-1: style must be one of"],
    ["pacePercent: 40", "pacePercent: 0", "participant noise-1: pacePercent must be at least 1."],
    ["pacePercent: 40", "cashValue: 5", "participant noise-1: cashValue must be at least 100000."],
    ["name: noise-1", "name: Noise 1", "participant Noise 1: name must be 1 to 32 small letters"],
  ])("%s → %s is a mistake that is named", (from, to, sentence) => {
    const text = simulated.replace(from, to);
    expect(text).not.toBe(simulated);
    expect(sentencesOf(() => declareCatalogue(readCatalogueFile(text))).join("\n")).toContain(
      sentence,
    );
  });

  test("need a simulated market", () => {
    const text = `${community}\nparticipants: [{ name: crowd, style: noiseTrader }]\n`;
    expect(sentencesOf(() => declareCatalogue(readCatalogueFile(text)))).toEqual([
      "participants: no market of the file is simulated, so they have nothing to trade.",
    ]);
  });
});

test("a fee that rounding makes many times its rate is named", () => {
  const warningsOf = (text: string) => feeWarnings(declareCatalogue(readCatalogueFile(text)));
  expect(warningsOf(community)).toEqual([]);
  expect(warningsOf(readFileSync("catalogues/funded.yaml", "utf8"))).toEqual([]);
  const whole = readFileSync("catalogues/funded.yaml", "utf8")
    .replace("decimals: 4", "decimals: 0")
    .replace("shownDecimals: 2\n    description: One", "shownDecimals: 0\n    description: One");
  expect(warningsOf(whole)).toEqual([
    "market MEET-EUR: a buyer of 1 MEET pays a fee of 1 MEET, since MEET has no smaller unit: " +
      "give MEET more decimals, or set the market's fees to 0",
  ]);
});

test("a plan that practice money earns on an exchange with a funded coin is named", () => {
  const declared = declareCatalogue(
    readCatalogueFile(readFileSync("catalogues/funded.yaml", "utf8")),
  );
  const [euro, token] = declared.coins;
  const practice = { ...euro, transfers: undefined };
  const [plan] = declared.plans;
  const plans = [
    plan,
    { ...plan, slug: "bought", eligibility: "paid" as const },
    { ...plan, slug: "earned", eligibility: "volume" as const },
    { ...plan, slug: "ladder", volumeLadder: [] },
    { ...plan, slug: "given", eligibility: "assigned" as const },
  ];
  expect(planWarnings({ ...declared, plans })).toEqual([]);
  expect(planWarnings({ ...declared, plans, coins: [practice] })).toEqual([]);
  const named = planWarnings({ ...declared, plans, coins: [practice, token] });
  expect(named.map((each) => each.split(" EUR, ")[0])).toEqual([
    "plan bought: is paid with",
    "plan earned: is earned by volume in",
    "plan ladder: has fees by volume in",
  ]);
  expect(named[0]).toContain("in the markets of MEET too");
});

test("a plan's file says how much its users may use, and one it does not know has the default", () => {
  const text = community.replace(
    "openOrdersMax: 100",
    "ordersPerTenSeconds: 3\n    apiKeysMax: 2\n    openOrdersMax: 100",
  );
  const { planLimits } = declareCatalogue(readCatalogueFile(text));
  const standard = defaultCatalogue(true).planLimits("free");
  expect(planLimits("member")).toEqual({ ...standard, ordersPerTenSeconds: 3, apiKeysMax: 2 });
  expect(planLimits("gone")).toEqual(standard);
});
