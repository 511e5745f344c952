/** What the main thread and the threads that hash passwords send each other. */
export interface ToHashingWorker {
  readonly password: string;
  readonly salt: string;
}

export interface FromHashingWorker {
  readonly key: Uint8Array;
}
