import { useMutation } from "@tanstack/react-query";
import { BellPlus, Pause, Play, Trash2 } from "lucide-react";
import { type PriceAlert } from "#contract/alerts.ts";
import { functions } from "#contract/functions.ts";
import { conditionWords } from "../../format/alert-words.ts";
import { formatMinute, useTimeZone } from "../../format/time.ts";
import { useCutOff } from "../../session/connection.ts";
import { useRequests } from "../../session/requests.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { KeptFocus } from "../../ui/kept-focus.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { PriceAlertForm, type PriceAlertFormProps } from "./price-alert-form.tsx";

/** The user's price alerts, and a form to create one. */
export function PriceAlertsPanel({ wanted }: Pick<PriceAlertFormProps, "wanted">) {
  const { data } = useFrameQuery(functions.alerts.list, {});
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PriceAlertForm
        // Resets the form when an alert for another market is requested.
        key={wanted}
        wanted={wanted}
        isFull={data !== undefined && data.alerts.length >= data.alertsMax}
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        {data === undefined ? (
          <div aria-busy className="p-4">
            <Skeleton className="h-10" />
          </div>
        ) : data.alerts.length === 0 ? (
          <EmptyState
            icon={BellPlus}
            title="No price alerts"
            text="An alert tells you when a price is reached, also while you are away."
          />
        ) : (
          <KeptFocus as="ul" aria-label="Price alerts" className="divide-y">
            {data.alerts.map((alert) => (
              <AlertItem key={alert.alertId} alert={alert} />
            ))}
          </KeptFocus>
        )}
      </div>
    </div>
  );
}

function AlertItem({ alert }: { readonly alert: PriceAlert }) {
  const timeZone = useTimeZone();
  const requests = useRequests();
  const cutOff = useCutOff();
  const { alertId, firedAt, market, status } = alert;
  const words = conditionWords(alert.condition);
  const setPaused = useMutation({
    mutationFn: (paused: boolean) => requests.send(functions.alerts.setPaused, { alertId, paused }),
  });
  const remove = useMutation({
    mutationFn: () => requests.send(functions.alerts.remove, { alertId }),
  });
  const isActive = status === "active";
  const resume = status === "fired" ? "Set again" : "Resume";
  return (
    <li className="flex items-center gap-2 py-2 pl-4 pr-2">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 text-sm">
          <span className="font-medium">{market}</span>
          <AlertState alert={alert} />
        </p>
        <p className="text-xs text-muted">
          {words}
          {firedAt === null ? null : ` · fired ${formatMinute(firedAt, timeZone)}`}
        </p>
      </div>
      <Button
        size="iconSm"
        variant="ghost"
        aria-label={`${isActive ? "Pause" : resume}: ${market}, ${words}`}
        title={cutOff ?? (isActive ? "Pause" : resume)}
        disabled={cutOff !== null || setPaused.isPending}
        onClick={() => setPaused.mutate(isActive)}
      >
        {isActive ? (
          <Pause className="size-3.5" aria-hidden />
        ) : (
          <Play className="size-3.5" aria-hidden />
        )}
      </Button>
      <Button
        size="iconSm"
        variant="ghost"
        aria-label={`Delete: ${market}, ${words}`}
        title={cutOff ?? "Delete"}
        disabled={cutOff !== null || remove.isPending}
        onClick={() => remove.mutate()}
      >
        <Trash2 className="size-3.5" aria-hidden />
      </Button>
    </li>
  );
}

function AlertState({ alert: { repeats, status } }: { readonly alert: PriceAlert }) {
  if (status === "paused") return <Badge tone="warn">Paused</Badge>;
  if (status === "fired") return <Badge>Fired</Badge>;
  return <Badge tone="accent">{repeats ? "Every time" : "Once"}</Badge>;
}
