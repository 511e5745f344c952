/** The log interface of the protocol server; a pino logger satisfies it. */
export interface ReactiveLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
  child(bindings: object): ReactiveLog;
}
