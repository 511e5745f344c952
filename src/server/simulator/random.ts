/**
 * Seeded random numbers for the simulated market. The generator is sfc32 (Chris Doty-Humphrey,
 * PractRand): only 32-bit integer arithmetic, so that a seed gives the same market on every
 * machine.
 */
export interface Random {
  /** Uniform in [0, 1). */
  uniform(): number;
  /** Standard normal. */
  normal(): number;
  /** Exponential with the given mean. */
  exponential(mean: number): number;
}

/** A generator for a seed and a name; one seed has independent streams for different names. */
export function createRandom(seed: number, name: string): Random {
  let a = seed >>> 0;
  let b = 0x9e37_79b9;
  let c = 0x243f_6a88;
  let counter = 1;

  function next(): number {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  }

  for (const character of name) {
    b ^= character.codePointAt(0) ?? 0;
    next();
  }
  for (let round = 0; round < 16; round += 1) next();

  const uniform = () => next() / 4_294_967_296;
  // Box–Muller yields two values at once; the second is kept for the next call.
  let spare: number | undefined;
  function normal(): number {
    if (spare !== undefined) {
      const value = spare;
      spare = undefined;
      return value;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - uniform()));
    const angle = 2 * Math.PI * uniform();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }
  return { uniform, normal, exponential: (mean) => -mean * Math.log(1 - uniform()) };
}
