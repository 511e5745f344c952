/** What the main thread and the threads that work on passwords send each other. */
export type ToPasswordWorker =
  | { readonly type: "hash"; readonly password: string; readonly salt: string }
  | { readonly type: "judge"; readonly password: string; readonly about: readonly string[] };

/** The key of a hash, or whether the password is weak. */
export type FromPasswordWorker = { readonly key: Uint8Array } | { readonly isWeak: boolean };
