import { Link } from "@tanstack/react-router";
import { Settings } from "lucide-react";
import { useState } from "react";
import type { RecentNotices } from "#contract/notices.ts";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../ui/tabs.tsx";
import { NoticeList } from "./notice-list.tsx";
import { PriceAlertsPanel } from "./price-alerts-panel.tsx";

interface NoticeCentreProps {
  /** The newest notices; undefined while they load. */
  readonly recent: RecentNotices | undefined;
  /** The market for which to create a price alert; null to show the notices first. */
  readonly wantedAlert: string | null;
  readonly onClose: () => void;
}

/** The panel with notices and price alerts. Loaded lazily, hence the default export. */
export default function NoticeCentre({ recent, wantedAlert, onClose }: NoticeCentreProps) {
  const [tab, setTab] = useState(wantedAlert === null ? "notices" : "alerts");
  return (
    <Tabs value={tab} onValueChange={setTab} className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 items-stretch justify-between border-b pr-2">
        <TabsList aria-label="Notification centre" className="border-b-0 px-2">
          <TabsTrigger value="notices" className="h-10">
            Notices
          </TabsTrigger>
          <TabsTrigger value="alerts" className="h-10">
            Price alerts
          </TabsTrigger>
        </TabsList>
        <Link
          to="/settings"
          hash="notifications"
          onClick={onClose}
          className="my-1 inline-flex items-center gap-1.5 rounded-md px-2 text-xs text-muted hover:bg-hover hover:text-text"
        >
          <Settings className="size-3.5" aria-hidden /> Settings
        </Link>
      </div>
      <TabsContent value="notices" className="flex min-h-0 flex-1 flex-col outline-none">
        <NoticeList recent={recent} onClose={onClose} />
      </TabsContent>
      <TabsContent value="alerts" className="flex min-h-0 flex-1 flex-col outline-none">
        <PriceAlertsPanel wanted={wantedAlert} />
      </TabsContent>
    </Tabs>
  );
}
