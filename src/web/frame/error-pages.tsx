import type { ErrorComponentProps } from "@tanstack/react-router";
import { errorReason } from "../session/error-sentence.ts";
import { Button, buttonClass } from "../ui/button.tsx";

/** Shown for a failure outside any page shell. */
export function ErrorPage(failure: ErrorComponentProps) {
  return (
    <main>
      <ErrorMessage {...failure} />
    </main>
  );
}

/** Shown for a failure inside a page shell, which stays. */
export function ErrorMessage({ error }: ErrorComponentProps) {
  return (
    <Message title="Oops" text="Something went wrong." detail={errorReason(error)}>
      <Button variant="primary" onClick={() => window.location.reload()}>
        Reload page
      </Button>
      <a href="/" className={buttonClass({ variant: "secondary" })}>
        Go home
      </a>
    </Message>
  );
}

interface MessageProps {
  readonly title: string;
  readonly text: string;
  readonly detail?: string;
  readonly children: React.ReactNode;
}

/** An explanation of the error, in the centre of the page, with links that lead on. */
export function Message({ title, text, detail, children }: MessageProps) {
  return (
    <div role="alert" className="grid min-h-[70dvh] place-items-center px-6">
      <div className="text-center">
        <h1 className="text-2xl font-semibold text-text">{title}</h1>
        <p className="mt-2 text-muted">{text}</p>
        {detail === undefined ? null : (
          <p className="mx-auto mt-2 max-w-md text-pretty wrap-anywhere text-text">{detail}</p>
        )}
        <div className="mt-6 flex justify-center gap-3">{children}</div>
      </div>
    </div>
  );
}
