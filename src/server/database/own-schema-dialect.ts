/**
 * Lists the existing tables, for migrations. Kysely's own introspector searches every schema of a
 * PostgreSQL database and looks up each column by its table's name, which fails if anything else in
 * that database drops or renames a table at the same time. Our tables are in one schema, and a single
 * query with joins sees the system tables as of one moment.
 */
import {
  type DatabaseIntrospector,
  type DatabaseMetadataOptions,
  type Kysely,
  PostgresDialect,
  type SchemaMetadata,
  sql,
  type TableMetadata,
} from "kysely";
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE } from "kysely/migration";

// oxlint-disable-next-line typescript/no-explicit-any -- of any table type, since none is named
type AnyDatabase = Kysely<any>;

/** PostgreSQL restricted to the connection's own schema. */
export class OwnSchemaDialect extends PostgresDialect {
  override createIntrospector(database: AnyDatabase): DatabaseIntrospector {
    return new OwnSchemaIntrospector(database);
  }
}

interface ColumnRow {
  schema: string;
  table: string;
  kind: "r" | "p" | "v" | "f";
  name: string;
  type: string;
  nullable: boolean;
  hasDefault: boolean;
  isIdentity: boolean;
}

class OwnSchemaIntrospector implements DatabaseIntrospector {
  readonly #database: AnyDatabase;

  constructor(database: AnyDatabase) {
    this.#database = database;
  }

  /** @returns the connection's schema; empty if it does not exist */
  async getSchemas(): Promise<SchemaMetadata[]> {
    const schemas = sql<SchemaMetadata>`
      select nspname as name from pg_catalog.pg_namespace where nspname = current_schema()`;
    return (await schemas.execute(this.#database)).rows;
  }

  /** @returns tables and views by name, their columns in order of creation */
  async getTables(options?: DatabaseMetadataOptions): Promise<TableMetadata[]> {
    const columns = sql<ColumnRow>`
      select
        schemas.nspname as schema,
        tables.relname as table,
        tables.relkind as kind,
        columns.attname as name,
        types.typname as type,
        not columns.attnotnull as nullable,
        columns.atthasdef as "hasDefault",
        columns.attidentity <> '' as "isIdentity"
      from pg_catalog.pg_namespace as schemas
      join pg_catalog.pg_class as tables on tables.relnamespace = schemas.oid
      join pg_catalog.pg_attribute as columns on columns.attrelid = tables.oid
      join pg_catalog.pg_type as types on types.oid = columns.atttypid
      where schemas.nspname = current_schema() and tables.relkind in ('r', 'p', 'v', 'f')
        and columns.attnum > 0 and not columns.attisdropped
      order by tables.relname, columns.attnum`;
    const tables = new Map<string, TableMetadata>();
    for (const row of (await columns.execute(this.#database)).rows) {
      if (options?.withInternalKyselyTables !== true && isKyselys(row.table)) continue;
      const table = tables.get(row.table) ?? {
        name: row.table,
        schema: row.schema,
        isView: row.kind === "v",
        isForeign: row.kind === "f",
        columns: [],
      };
      tables.set(row.table, table);
      table.columns.push({
        name: row.name,
        dataType: row.type,
        isNullable: row.nullable,
        hasDefaultValue: row.hasDefault,
        isAutoIncrementing: row.isIdentity,
      });
    }
    return [...tables.values()];
  }
}

function isKyselys(table: string): boolean {
  return table === DEFAULT_MIGRATION_TABLE || table === DEFAULT_MIGRATION_LOCK_TABLE;
}
