/** Lists and changes coins, plans and markets in the format of a catalogue file, for the operator. */
import { stringify } from "yaml";
import { z } from "zod";
import { catalogueEntry } from "#contract/catalogue.ts";
import { describeEntry } from "../catalogue/described-catalogue.ts";
import { changesBy } from "../functions/catalogue.ts";
import {
  decidedBecause,
  done,
  issuesOf,
  type OperatorServices,
  reason,
  request,
  RequestError,
  submitCommand,
} from "./request.ts";

type Kind = "coin" | "plan" | "market";

/** The changes by path of a field, such as "breaker.bps"; null removes the field. */
const fields = z.record(z.string().regex(/^[A-Za-z]+(\.[A-Za-z]+)?$/), z.unknown());

export function entryRequests(services: OperatorServices) {
  const change = (kind: Kind) =>
    request(
      {
        name: z.string().min(1, "say which one").max(64),
        fields,
        isConfirmed: z.boolean(),
        reason: reason.optional(),
      },
      async ({ name, fields: changed, isConfirmed, reason: why }) => {
        const entry = entryWith(services, kind, name, changed);
        const changes = changesBy(services, entry);
        const sentences = changes.map(({ sentence }) => `  ${sentence}`);
        if (changes.length === 0) return done("Nothing would change.");
        if (!isConfirmed) {
          return done(
            "This would change:",
            ...sentences,
            "Say the same with --confirm and --reason TEXT to change it.",
          );
        }
        if (why === undefined) throw new RequestError("Say why: --reason TEXT");
        const decision = decidedBecause(why);
        for (const { command } of changes) await submitCommand(services, { ...command, decision });
        return done("Changed:", ...sentences);
      },
    );
  const show = (kind: Kind) =>
    request({ name: z.string().min(1, "say which one").max(64) }, ({ name }) => {
      const found = describeEntry(services.views.catalogue, kind, name);
      if (found === undefined) throw new RequestError(`There is no ${kind} ${name}.`);
      return done(stringify(found, { lineWidth: 100 }).trimEnd());
    });
  const list = (kind: "coin" | "plan") =>
    request({}, () => {
      const { catalogue } = services.views;
      const names =
        kind === "coin"
          ? catalogue.coins().map(({ definition: { symbol, name } }) => `${symbol}  ${name}`)
          : catalogue.plans().map(({ definition: { slug, name } }) => `${slug}  ${name}`);
      return done(...names);
    });
  return {
    "/coins/list": list("coin"),
    "/coins/show": show("coin"),
    "/coins/change": change("coin"),
    "/plans/list": list("plan"),
    "/plans/show": show("plan"),
    "/plans/change": change("plan"),
    "/markets/show": show("market"),
    "/markets/change": change("market"),
  };
}

/** @throws RequestError with a sentence for each invalid field */
function entryWith(
  services: OperatorServices,
  kind: Kind,
  name: string,
  changed: Readonly<Record<string, unknown>>,
) {
  const entry: Record<string, unknown> = {
    [kind === "plan" ? "slug" : "symbol"]: name,
    ...describeEntry(services.views.catalogue, kind, name),
  };
  for (const [path, value] of Object.entries(changed)) {
    const [outer, inner] = path.split(".");
    const next = value ?? undefined;
    entry[outer] =
      inner === undefined ? next : { ...(entry[outer] as object | undefined), [inner]: next };
  }
  const parsed = catalogueEntry.safeParse({ kind, [kind]: entry });
  if (parsed.success) return parsed.data;
  const sentences = issuesOf(parsed.error).map((issue) => issue.replace(`${kind}.`, ""));
  throw new RequestError(sentences.join("\n"));
}
