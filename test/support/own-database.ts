/** Databases of tests' own on the PostgreSQL of DATABASE_URL_TEST. */
import { Client } from "pg";

const POSTGRES = process.env.DATABASE_URL_TEST ?? "postgres://postgres@127.0.0.1:5432/test";

export async function onPostgres(statement: string): Promise<void> {
  const client = new Client({ connectionString: POSTGRES, connectionTimeoutMillis: 3_000 });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

const isThere = await onPostgres("select 1").then(
  () => true,
  () => false,
);

/** Whether tests that need PostgreSQL run: with REQUIRE_POSTGRES=1 they fail without one. */
export const hasPostgres = isThere || process.env.REQUIRE_POSTGRES === "1";

export function postgresUrlOf(database: string): string {
  return Object.assign(new URL(POSTGRES), { pathname: database }).href;
}
