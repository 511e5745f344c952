/** The public functions (public-functions.ts) as typed references for the official client. */
import { anyApi, type FunctionArgs, type FunctionReference } from "convex/server";
import type { z } from "zod";
import type { Declaration } from "./declaration.ts";
import type { PublicFunctions } from "./public-functions.ts";

type Reference<Declared> =
  Declared extends Declaration<infer Kind, infer Args, infer Answer>
    ? FunctionReference<Kind, "public", z.input<Args>, Answer>
    : never;

type References = {
  readonly [Noun in keyof PublicFunctions]: {
    readonly [Name in keyof PublicFunctions[Noun]]: Reference<PublicFunctions[Noun][Name]>;
  };
};

/**
 * Typed access to `anyApi`, each property of which is a reference to the function with that name.
 */
export const functions = anyApi as unknown as References;

export type PlaceOrderArgs = Omit<FunctionArgs<typeof functions.orders.place>, "validUntil">;
export type PlaceListArgs = Omit<FunctionArgs<typeof functions.orders.placeList>, "validUntil">;
export type AdminChangesArgs = FunctionArgs<typeof functions.audit.changes>;
export type CatalogueEntryArgs = FunctionArgs<typeof functions.catalogue.preview>["entry"];
export type { CatalogueEntries } from "./catalogue.ts";
export type AuditPageArgs = FunctionArgs<typeof functions.audit.page>;
export type UserListArgs = FunctionArgs<typeof functions.users.list>;
