import { expect, test } from "vitest";
import { profileProblem } from "./profile-fields.ts";

test("a name, an address or a picture that is no text is refused by its field", () => {
  expect(profileProblem({ name: ["x"] })).toBe("[body.name] must be a text");
  expect(profileProblem({ data: { lastname: { a: 1 } } })).toBe("[body.lastname] must be a text");
  expect(profileProblem({ newEmail: 7 })).toBe("[body.newEmail] must be a text");
  expect(profileProblem({ name: "Zoë", image: null, userId: ["x"] })).toBeNull();
});

test.each(["\u0000", "\u001B[2K", "\u009B1A", "\u202Enimda", "\u2066"])(
  "a name that could move a terminal's cursor or turn its lines around is refused: %j",
  (name) => {
    expect(profileProblem({ name })).toBe("[body.name] must have no control characters");
  },
);
