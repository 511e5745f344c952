/** The engine has stopped for good; whether a command that was waiting took effect is not known. */
export class ExchangeStoppedError extends Error {
  override readonly name = "ExchangeStoppedError";

  constructor(reason: string) {
    super(`The exchange has stopped: ${reason}`);
  }
}

/** Too many commands wait; this one was not sequenced and may be sent again. */
export class ExchangeBusyError extends Error {
  override readonly name = "ExchangeBusyError";

  constructor(waiting: number) {
    super(`The exchange is busy: ${waiting} commands wait. Try again shortly.`);
  }
}

/** What is said of a failure to whoever hears of it from another thread or process. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
