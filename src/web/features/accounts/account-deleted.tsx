import { buttonClass } from "../../ui/button.tsx";
import { AccountPage } from "./account-page.tsx";

const REASON_TEXTS: Readonly<Record<string, string>> = {
  invalid_token: "The link has expired, it was used before, or it belongs to another account.",
  failed_to_get_user_info:
    "No one is signed in on this device. Sign in here, then open the link of the mail once more.",
};
const ANY_REASON = "Something went wrong. Open the link of the mail once more.";

/** Landing page of the mailed link that deletes a user, for success and failure. */
export function AccountDeleted({ error }: { readonly error: string | undefined }) {
  if (error !== undefined) {
    return (
      <AccountPage
        title="Nothing was deleted"
        text={REASON_TEXTS[error.toLowerCase()] ?? ANY_REASON}
      >
        <div className="grid gap-2">
          <a href="/settings#delete" className={buttonClass({ variant: "primary" })}>
            Open settings
          </a>
          <a href="/" className={buttonClass()}>
            Go home
          </a>
        </div>
      </AccountPage>
    );
  }
  return (
    <AccountPage
      title="Account deleted"
      text="Your sign-in, your sessions and your linked accounts are gone, and your open orders are cancelled."
    >
      <a href="/" className={buttonClass({ variant: "primary", className: "w-full" })}>
        Go home
      </a>
    </AccountPage>
  );
}
