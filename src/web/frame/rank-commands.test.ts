import { expect, test } from "vitest";
import type { Command } from "../keyboard/commands.ts";
import { rankCommands } from "./rank-commands.ts";

function command(title: string, keywords = "", group = "Group"): Command {
  return { id: title, group, title, keywords, run: () => undefined };
}

const COMMANDS = [
  command("Layout: Standard"),
  command("Interval: 1 hour", "1h candles"),
  command("ETH/USD", "ETH-USD Ethereum market trade"),
  command("SOL/USD", "SOL-USD Solana market trade"),
  command("Sell BTC"),
  command("Cancel all orders in BTC-USD"),
  command("Cancel all orders"),
];

function found(search: string): readonly string[] {
  return rankCommands(COMMANDS, search).map(({ title }) => title);
}

test("a market is found by its symbol and by its name", () => {
  expect(found("sol")).toEqual(["SOL/USD"]);
  expect(found("Ethereum")).toEqual(["ETH/USD"]);
  expect(found("eth-usd")).toEqual(["ETH/USD"]);
});

test("what begins with the search comes before what contains it", () => {
  expect(found("btc")[0]).toBe("Sell BTC");
  expect(found("usd").slice(0, 2)).toEqual(["ETH/USD", "SOL/USD"]);
});

test("every word must be found", () => {
  expect(found("cancel in")).toEqual(["Cancel all orders in BTC-USD"]);
  expect(found("cancel ether")).toEqual([]);
});
