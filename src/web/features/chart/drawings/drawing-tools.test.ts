import { expect, test } from "vitest";
import { DRAWING_TOOL_NAMES, DRAWING_TOOLS, pointsAcross, parseDrawings } from "./drawing-tools.ts";

const POINT = { timestamp: 1, value: 2 };

test("stored drawings are read as far as they make sense", () => {
  const line = { id: "a", tool: "segment", points: [POINT, POINT] };
  const stored = [
    line,
    { id: "b", tool: "segment", points: [POINT] },
    { id: "c", tool: "spiral", points: [POINT, POINT] },
    { id: "d", tool: "segment", points: [POINT, { timestamp: "x", value: 1 }] },
    7,
  ];
  expect(parseDrawings(JSON.stringify(stored))).toEqual([line]);
  expect(parseDrawings("nonsense")).toEqual([]);
  expect(parseDrawings(null)).toEqual([]);
});

test("without a pointer a drawing lies within what is visible", () => {
  const area = { from: 1_000, to: 2_000, low: 10, high: 20 };
  for (const tool of DRAWING_TOOL_NAMES) {
    const points = pointsAcross(tool, area);
    expect([tool, points.length]).toEqual([tool, DRAWING_TOOLS[tool].points ?? 2]);
    for (const { timestamp, value } of points) {
      expect(timestamp > 1_000 && timestamp < 2_000 && value > 10 && value < 20).toBe(true);
    }
  }
});
