import { useSite } from "../../session/site.ts";
import { useLinkedAccountsShown } from "./linked-accounts-section.tsx";

interface Entry {
  readonly id: string;
  readonly title: string;
}

const LINKED: Entry = { id: "linked", title: "Linked accounts" };

const GROUPS: readonly { readonly title: string; readonly sections: readonly Entry[] }[] = [
  {
    title: "Account",
    sections: [
      { id: "profile", title: "Profile" },
      { id: "email", title: "Email" },
      { id: "plan", title: "Plan" },
      { id: "preferences", title: "Preferences" },
      { id: "notifications", title: "Notifications" },
    ],
  },
  {
    title: "Security",
    sections: [
      { id: "password", title: "Password" },
      { id: "two-factor", title: "Two-factor sign-in" },
      { id: "passkeys", title: "Passkeys" },
      LINKED,
      { id: "sessions", title: "Sessions" },
      { id: "api-keys", title: "API keys" },
      { id: "sign-ins", title: "Sign-in history" },
      { id: "data", title: "Your data" },
    ],
  },
];
const DANGER_ZONE = { title: "Danger zone", sections: [{ id: "delete", title: "Delete account" }] };

/** Links to the sections of the settings, beside them if there is room. */
export function SettingsNavigation() {
  const hasLinked = useLinkedAccountsShown();
  const { offers } = useSite();
  return (
    <nav aria-label="Settings" className="sticky top-16 -ml-2 hidden self-start text-sm lg:block">
      {[...GROUPS, ...(offers.deletion ? [DANGER_ZONE] : [])].map(({ title, sections }) => (
        <div key={title} className="mb-5">
          <p className="px-2 text-xs text-faint">{title}</p>
          <ul className="mt-1">
            {sections
              .filter((section) => section !== LINKED || hasLinked)
              .map((section) => (
                <li key={section.id}>
                  <a
                    href={`#${section.id}`}
                    className="block rounded-md px-2 py-1 text-muted hover:bg-hover hover:text-text"
                  >
                    {section.title}
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
