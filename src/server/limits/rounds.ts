/**
 * Visits every member of a set once per period, in several parts, because visiting thousands at
 * once would take long.
 */
export class Rounds<Member> {
  readonly #members: ReadonlySet<Member>;
  readonly #parts: number;
  #part = 0;
  #left: Iterator<Member> | undefined;

  /** @param parts number of parts per period */
  constructor(members: ReadonlySet<Member>, parts: number) {
    this.#members = members;
    this.#parts = parts;
  }

  /**
   * Visits the next members; call once per part of the period. The first round begins after one
   * period.
   */
  next(visit: (member: Member) => void): void {
    this.#part = (this.#part + 1) % this.#parts;
    if (this.#part === 0) this.#left = this.#members.values();
    // Members added during a round come at its end; removed members are not visited.
    for (let left = Math.ceil(this.#members.size / this.#parts); left > 0; left--) {
      const next = this.#left?.next();
      if (next === undefined || next.done === true) return;
      visit(next.value);
    }
  }
}
