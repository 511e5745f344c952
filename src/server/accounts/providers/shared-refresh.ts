/**
 * Shares the answer to a token refresh. Many providers accept a refresh token once and, if it is
 * used again, revoke the whole grant as stolen. Calls that are concurrent, or that read the old
 * token just before the new one was written, therefore get the same answer.
 */

/** Longer than any call takes between reading the token and using it. */
const SHARED_MS = 10_000;

interface Refreshing<Answer, Rest extends readonly unknown[]> {
  readonly refreshAccessToken?:
    | ((refreshToken: string, ...rest: Rest) => Promise<Answer>)
    | undefined;
}

export function withSharedRefresh<
  Answer,
  Rest extends readonly unknown[],
  Provider extends Refreshing<Answer, Rest>,
>(provider: Provider & Refreshing<Answer, Rest>): Provider {
  const { refreshAccessToken } = provider;
  if (refreshAccessToken === undefined) return provider;
  const answers = new Map<string, Promise<Answer>>();
  return {
    ...provider,
    refreshAccessToken: (refreshToken: string, ...rest: Rest) => {
      const known = answers.get(refreshToken);
      if (known !== undefined) return known;
      const answer = refreshAccessToken(refreshToken, ...rest);
      answers.set(refreshToken, answer);
      const forget = () => answers.delete(refreshToken);
      // A failed refresh may be retried at once.
      answer.then(() => setTimeout(forget, SHARED_MS).unref(), forget);
      return answer;
    },
  };
}
