/** The database could not be opened, reached or used; the message is fit for an operator's log. */
export class DatabaseError extends Error {
  override readonly name: string = "DatabaseError";
}

/** A migration failed; the message names it. */
export class MigrationError extends DatabaseError {
  override readonly name = "MigrationError";
}
