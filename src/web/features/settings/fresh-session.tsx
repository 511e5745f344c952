import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import { AccountError } from "../../session/account-error.ts";
import { needsNewSignIn } from "../../session/account-refusals.ts";
import { SignInAgainDialog } from "./sign-in-again-dialog.tsx";

type Run = <Answer>(action: () => Promise<Answer>) => Promise<Answer>;

const FreshSession = createContext<Run>((action) => action());

/**
 * Runs an action that requires a recent sign-in: if the session is too old, asks the user to sign in
 * again without leaving the page, and repeats the action.
 */
export function useFreshSession(): Run {
  return useContext(FreshSession);
}

interface Question {
  readonly answer: (signedIn: boolean) => void;
}

interface FreshSessionProviderProps {
  readonly email: string;
  readonly children: ReactNode;
}

export function FreshSessionProvider({ email, children }: FreshSessionProviderProps) {
  const [question, setQuestion] = useState<Question | null>(null);
  const run = useCallback<Run>(async (action) => {
    try {
      return await action();
    } catch (error) {
      if (!needsNewSignIn(error)) throw error;
      const signedIn = await new Promise<boolean>((answer) => setQuestion({ answer }));
      setQuestion(null);
      if (!signedIn) {
        throw new AccountError("NOT_SIGNED_IN_AGAIN", "Nothing was changed: you did not sign in.");
      }
      return await action();
    }
  }, []);
  return (
    <FreshSession value={run}>
      {children}
      {question === null ? null : (
        <SignInAgainDialog
          email={email}
          onSignedIn={() => question.answer(true)}
          onCancel={() => question.answer(false)}
        />
      )}
    </FreshSession>
  );
}
