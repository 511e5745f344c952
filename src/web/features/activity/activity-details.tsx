import { Link } from "@tanstack/react-router";
import type { LedgerSelection } from "#contract/types.ts";
import type { ActivityItem, SecurityDetails } from "#contract/users.ts";
import { formatNumbersIn } from "../../format/number-sentence.ts";
import { formatDateTime, useTimeZone } from "../../format/time.ts";
import { deviceText } from "../../format/user-agent.ts";
import { Fact, Facts } from "../../ui/facts.tsx";
import { statusText } from "./activity-kinds.ts";
import { OrderFills } from "./order-fills.tsx";
import { LedgerEntries } from "./ledger-entries.tsx";

const LINK = "touchable rounded-sm text-accent hover:underline";

/** The expanded details of an activity row: all facts, and the postings if money moved. */
export function ActivityDetails({ item }: { readonly item: ActivityItem }) {
  const timeZone = useTimeZone();
  const { security, postings } = item;
  return (
    <>
      <Facts>
        <Fact name="What" isWide>
          {formatNumbersIn(item.title)}
        </Fact>
        <Fact name="When">
          <span className="figures">{formatDateTime(item.time, timeZone)}</span>
        </Fact>
        <Fact name="Status">{statusText(item.status)}</Fact>
        {item.market === null ? null : <Fact name="Market">{item.market}</Fact>}
        {item.sequence === null ? null : (
          <Fact name="Journal sequence">
            <span className="figures">{item.sequence}</span>
          </Fact>
        )}
        {security === undefined ? null : (
          <SecurityFacts security={security} isRefused={item.status === "refused"} />
        )}
      </Facts>
      {item.order === undefined || Number(item.order.filledQuantity) === 0 ? null : (
        <div className="border-t">
          <OrderFills item={item} order={item.order} />
        </div>
      )}
      {postings === null ? null : (
        <div className="border-t">
          <LedgerEntries item={item} selection={postings} />
          <RecordLinks selection={postings} />
        </div>
      )}
    </>
  );
}

interface SecurityFactsProps {
  readonly security: SecurityDetails;
  readonly isRefused: boolean;
}

function SecurityFacts({ security, isRefused }: SecurityFactsProps) {
  const { address, userAgent, byAdministrator } = security;
  const by = isRefused ? "Someone who was not signed in" : "You, or someone with your sign-in";
  return (
    <>
      <Fact name="By">{byAdministrator ? "An administrator" : by}</Fact>
      {/* An administrator's location is not disclosed. */}
      {byAdministrator ? null : <ClientFacts address={address} userAgent={userAgent} />}
    </>
  );
}

function ClientFacts({ address, userAgent }: Pick<SecurityDetails, "address" | "userAgent">) {
  return (
    <>
      <Fact name="Network address">
        <span className="figures break-all">{address ?? "Unknown"}</span>
      </Fact>
      <Fact name="Device" isWide>
        {deviceText(userAgent)}
        {userAgent === null ? null : (
          <span className="mt-0.5 block break-words text-2xs text-faint">{userAgent}</span>
        )}
      </Fact>
    </>
  );
}

/** Links to the page of an order or fill; renders nothing for other selections. */
function RecordLinks({ selection }: { readonly selection: LedgerSelection }) {
  if (!("orderId" in selection)) return null;
  const { orderId } = selection;
  return (
    <p className="flex flex-wrap gap-x-6 gap-y-2 px-4 py-3 text-xs">
      {"tradeId" in selection ? (
        <Link
          to="/fills/$orderId/$tradeId"
          params={{ orderId, tradeId: selection.tradeId.toString() }}
          className={LINK}
        >
          Explain this trade: fee, rounding and postings recomputed
        </Link>
      ) : null}
      <Link to="/orders/$orderId" params={{ orderId }} className={LINK}>
        The order from its placement on
      </Link>
    </p>
  );
}
