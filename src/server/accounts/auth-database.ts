/**
 * The authentication library's database: a Kysely whose reads outside transactions use the reading
 * connections, so that a session lookup never waits for a transaction.
 */
import type { Kysely } from "kysely";
import type { Database } from "../database/open-database.ts";
import type { Tables } from "../database/tables.ts";

export function withSeparateReads({ write, read }: Database): Kysely<Tables> {
  return new Proxy(write, {
    get(target, property) {
      if (property === "selectFrom") return read.selectFrom.bind(read);
      const value: unknown = Reflect.get(target, property, target);
      // `fn` is a function with methods, which `bind` would drop.
      if (property === "fn") return value;
      // Bound, because Kysely keeps its state in private fields that a proxy does not have.
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
