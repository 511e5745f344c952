/** Questions to the engine's worker that wait for their answers. */
export class Questions<Answer> {
  readonly #waiters = new Map<number, PromiseWithResolvers<Answer>>();
  #asked = 0;

  /** @param send sends the question with the number by which its answer is known */
  ask(send: (id: number) => void): Promise<Answer> {
    const waiter = Promise.withResolvers<Answer>();
    const id = ++this.#asked;
    this.#waiters.set(id, waiter);
    send(id);
    return waiter.promise;
  }

  answer(id: number, answer: Answer): void {
    this.#waiters.get(id)?.resolve(answer);
    this.#waiters.delete(id);
  }

  rejectAll(errorOf: () => Error): void {
    for (const { reject } of this.#waiters.values()) reject(errorOf());
    this.#waiters.clear();
  }
}
