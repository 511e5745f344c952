import { useBackend } from "../../session/use-backend.ts";
import { ExportButton } from "../../ui/export-button.tsx";
import { ownDataPieces } from "./own-data.ts";
import { SettingsSection } from "./settings-section.tsx";

/** A copy of all data that the exchange stores about the viewer. */
export function OwnDataSection() {
  const backend = useBackend();
  return (
    <SettingsSection
      id="data"
      title="Your data"
      text="Profile, balances, orders, fills and activity, as JSON lines."
    >
      <ExportButton
        label="Download everything (JSON)"
        fileName="my-data.jsonl"
        type="application/x-ndjson"
        pieces={() => ownDataPieces(backend)}
      />
    </SettingsSection>
  );
}
