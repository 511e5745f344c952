import { expect, test } from "vitest";
import { Rounds } from "./rounds.ts";

test("every member is visited once in a period, and few at a time", () => {
  const members = new Set(Array.from({ length: 101 }, (_, at) => at));
  const rounds = new Rounds(members, 10);
  const parts: number[][] = [];
  for (let part = 0; part < 29; part++) {
    const visited: number[] = [];
    rounds.next((member) => visited.push(member));
    parts.push(visited);
  }
  expect(parts.slice(0, 9).flat()).toEqual([]);
  for (const round of [parts.slice(9, 19), parts.slice(19)]) {
    expect(round.flat()).toEqual([...members]);
    expect(Math.max(...round.map(({ length }) => length))).toBe(11);
  }
});

test("a single member is visited once in a period too", () => {
  const rounds = new Rounds(new Set(["one"]), 10);
  let visits = 0;
  for (let part = 0; part < 40; part++) rounds.next(() => (visits += 1));
  expect(visits).toBe(4);
});

test("a member that has left is not visited", () => {
  const members = new Set(["one", "other", "third"]);
  const rounds = new Rounds(members, 3);
  const visited: string[] = [];
  for (let part = 0; part < 5; part++) {
    rounds.next((member) => visited.push(member));
    if (part === 2) members.delete("other");
  }
  expect(visited).toEqual(["one", "third"]);
});
