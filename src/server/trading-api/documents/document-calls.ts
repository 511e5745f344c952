/** The calls that answer the documents of all calls. */
import { z } from "zod";
import type { Services } from "../../functions/services.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";
import { endpoints } from "../endpoints/endpoints.ts";
import { asyncApiDocument } from "./async-api.ts";
import type { DocumentSubject } from "./document-subject.ts";
import { openApiDocument } from "./open-api.ts";
import { recordedAnswers } from "./recorded-answers.ts";

/** Documents are long. */
const WEIGHT = 20;

const openApi = documentCall(
  "openapi",
  "The calls over HTTP as an OpenAPI 3.1 document.",
  openApiDocument,
);

const asyncApi = documentCall(
  "asyncapi",
  "The WebSockets as an AsyncAPI 3 document.",
  asyncApiDocument,
);

/** All calls that there are over HTTP, those of this file too. */
export const documentedCalls: readonly Endpoint[] = [...endpoints, openApi, asyncApi];

/** Undefined if it is none of these. */
export function findDocumentCall(method: string, path: string): Endpoint | undefined {
  return [openApi, asyncApi].find((call) => call.method === method && call.path === path);
}

function documentCall(
  name: string,
  summary: string,
  documentOf: (subject: DocumentSubject) => object,
): Endpoint {
  const made = new WeakMap<Services["config"], object>();
  return endpoint({
    method: "GET",
    path: `/api/v3/openbell/${name}.json`,
    summary,
    security: "none",
    weight: WEIGHT,
    parameters: z.object({}),
    answer({ config }) {
      const known = made.get(config);
      if (known !== undefined) return known;
      const document = documentOf({
        calls: documentedCalls,
        productName: config.PRODUCT_NAME,
        recorded: recordedAnswers(),
        host: hostOf(config),
      });
      made.set(config, document);
      return document;
    },
  });
}

/** Where the exchange is open to the public, or on this machine. */
function hostOf({ PORT, PUBLIC_URL }: Services["config"]): DocumentSubject["host"] {
  if (PUBLIC_URL === undefined) return { host: `localhost:${PORT}`, protocol: "ws" };
  const { host, protocol } = new URL(PUBLIC_URL);
  return { host, protocol: protocol === "https:" ? "wss" : "ws" };
}
