/** What the protocol server asks of a log; a pino logger is one. */
export interface ReactiveLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
  child(bindings: object): ReactiveLog;
}
