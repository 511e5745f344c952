import { expect, test } from "vitest";
import { describeNodes } from "./describe-nodes.ts";

test("nodes are listed below each other, each with its role and how far it is behind", () => {
  const node = { node: "1", since: 0, term: 12, sequence: 300, behind: 0, place: "one, process 7" };
  const lines = describeNodes([
    { ...node, role: "leader", compared: { sequence: 290, hash: "a" } },
    { ...node, role: "catchingUp", behind: 2_500, place: "two, process 8" },
  ]);
  expect(lines).toEqual([
    "role         term  sequence  behind  same state at  where",
    "leader       12    300       0       290            one, process 7",
    "catching up  12    300       2500    -              two, process 8",
  ]);
  expect(describeNodes([])).toEqual(["No node answers."]);
});
