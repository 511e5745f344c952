import type { ReactNode } from "react";
import { errorSentence } from "../../session/error-sentence.ts";
import { Button } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { KeptFocus } from "../../ui/kept-focus.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

/** A list in the settings: sessions, passkeys or linked accounts. */
export function SettingsList(props: {
  readonly label: string;
  readonly isLoading?: boolean;
  readonly children?: ReactNode;
}) {
  const { label, isLoading = false, children } = props;
  return (
    <KeptFocus
      as="ul"
      aria-label={label}
      aria-busy={isLoading}
      className="divide-y rounded-md border"
    >
      {isLoading ? (
        <li className="px-3 py-2.5">
          <Skeleton className="h-9" />
        </li>
      ) : (
        children
      )}
    </KeptFocus>
  );
}

interface SettingsListItemProps {
  readonly icon?: ReactNode;
  readonly title: ReactNode;
  readonly text: ReactNode;
  /** Whether phones show the actions below the text: for long texts and several actions. */
  readonly isStacked?: boolean;
  /** Buttons of the item. */
  readonly children?: ReactNode;
}

export function SettingsListItem(props: SettingsListItemProps) {
  const { icon, title, text, isStacked = false, children } = props;
  return (
    <li
      className={classNames(
        "flex items-center gap-3 px-3 py-2.5",
        isStacked && "flex-wrap sm:flex-nowrap",
      )}
    >
      {icon}
      <div className={classNames("min-w-0 flex-1", isStacked && "basis-full sm:basis-0")}>
        <p className="flex flex-wrap items-center gap-x-2 text-sm break-words">{title}</p>
        <p className="text-xs text-faint [overflow-wrap:anywhere]">{text}</p>
      </div>
      {children === undefined ? null : (
        <div className="flex shrink-0 flex-wrap justify-end gap-1">{children}</div>
      )}
    </li>
  );
}

/** Shown if a list could not be loaded. */
export function SettingsFailure(props: {
  readonly error: unknown;
  /** Shown instead of the error's own message. */
  readonly text?: string;
  readonly retryLabel?: string;
  readonly onRetry: () => unknown;
}) {
  const { error, onRetry, retryLabel = "Try again", text = errorSentence(error) } = props;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-md border px-3 py-2.5">
      <p className="text-sm text-muted">{text}</p>
      <Button size="sm" onClick={() => void onRetry()}>
        {retryLabel}
      </Button>
    </div>
  );
}
