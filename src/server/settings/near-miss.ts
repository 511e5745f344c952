/**
 * Whether two names differ by one typing error: a letter too many, too few or wrong, or two letters
 * swapped.
 */
export function isNearMiss(given: string, known: string): boolean {
  if (given === known || Math.abs(given.length - known.length) > 1) return false;
  let start = 0;
  while (start < given.length && given[start] === known[start]) start += 1;
  const rest = given.slice(start);
  const expected = known.slice(start);
  return (
    rest.slice(1) === expected.slice(1) ||
    rest.slice(1) === expected ||
    rest === expected.slice(1) ||
    (rest.length > 1 &&
      rest[0] === expected[1] &&
      rest[1] === expected[0] &&
      rest.slice(2) === expected.slice(2))
  );
}
