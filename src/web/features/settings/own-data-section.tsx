import { DownloadLink } from "../../ui/download-link.tsx";
import { SettingsSection } from "./settings-section.tsx";

/** Offers a download of all data that the exchange stores about the user. */
export function OwnDataSection() {
  return (
    <SettingsSection
      id="data"
      title="Your data"
      text="Profile, balances, orders, fills and activity, as JSON lines."
    >
      <DownloadLink file="my-data.jsonl">Download everything (JSON)</DownloadLink>
    </SettingsSection>
  );
}
