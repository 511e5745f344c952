import { Link } from "@tanstack/react-router";
import { lazyComponent } from "../../../ui/lazy-component.tsx";
import { PanelBoundary } from "../../../ui/panel-boundary.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { SettingsSection } from "../settings-section.tsx";

const ApiKeyList = lazyComponent(
  () => import("./api-key-list.tsx"),
  <div aria-busy>
    <Skeleton className="h-24" />
  </div>,
);

/** The settings of the API keys with which programs act for the user. */
export function ApiKeysSection() {
  return (
    <SettingsSection
      id="api-keys"
      title="API keys"
      text={
        <>
          Programs trade for you with a key, as they do with Binance’s spot interface. No key can
          withdraw. What they can ask is in the{" "}
          <Link to="/documents" className="rounded-sm text-accent underline underline-offset-2">
            API documents
          </Link>
          .
        </>
      }
    >
      <PanelBoundary className="rounded-md border">
        <ApiKeyList />
      </PanelBoundary>
    </SettingsSection>
  );
}
