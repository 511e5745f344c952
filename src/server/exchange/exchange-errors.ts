/** The engine has stopped for good; it is unknown whether a waiting command took effect. */
export class ExchangeStoppedError extends Error {
  override readonly name = "ExchangeStoppedError";

  constructor(reason: string) {
    super(`The exchange has stopped: ${reason}`);
  }
}

/** This node does not lead: the command is not in the journal and never will be by this submission. */
export class NotLeadingError extends Error {
  override readonly name = "NotLeadingError";

  constructor() {
    super("This node of the exchange does not lead.");
  }
}

/** Too many commands wait; the refused command was not sequenced and may be sent again. */
export class ExchangeBusyError extends Error {
  override readonly name = "ExchangeBusyError";
  readonly waiting: number;

  constructor(waiting: number) {
    super(`The exchange is busy: ${waiting} commands wait. Try again shortly.`);
    this.waiting = waiting;
  }
}

/** The disk is nearly full, so no orders are accepted; the refused command was not sequenced. */
export class OrdersStoppedError extends Error {
  override readonly name = "OrdersStoppedError";

  constructor() {
    super("New orders are refused because the disk of the exchange is nearly full.");
  }
}
