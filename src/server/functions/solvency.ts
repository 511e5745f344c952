import { requireUser } from "./caller.ts";
import type { Handlers } from "./handlers.ts";

export const report: Handlers["solvency"]["report"] = ({ services }) => services.solvency.report();

export const proof: Handlers["solvency"]["proof"] = (context) =>
  context.services.solvency.proofOf(requireUser(context));
