/** An administrator's decision on a change, with the reason; the texts are bounded (command-texts.ts). */
export interface Decision {
  /** The administrator's id, opaque to the engine. */
  readonly byAdmin: string;
  readonly reason: string;
}
