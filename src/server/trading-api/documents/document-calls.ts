/** The calls that return the OpenAPI and the AsyncAPI document. */
import { z } from "zod";
import { JsonDocument } from "../../http/json-document.ts";
import type { Services } from "../../functions/services.ts";
import { endpoint, type Endpoint } from "../endpoint.ts";
import { endpoints } from "../endpoints/endpoints.ts";
import { asyncApiDocument } from "./async-api.ts";
import type { DocumentSubject } from "./document-subject.ts";
import { openApiDocument } from "./open-api.ts";
import { recordedAnswers } from "./recorded-answers.ts";

/** Heavy, because the documents are long. */
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

/** All HTTP calls, including those of this file. */
export const documentedCalls: readonly Endpoint[] = [...endpoints, openApi, asyncApi];

/** Undefined if the path is neither document's. */
export function findDocumentCall(method: string, path: string): Endpoint | undefined {
  return [openApi, asyncApi].find((call) => call.method === method && call.path === path);
}

function documentCall(
  name: string,
  summary: string,
  documentOf: (subject: DocumentSubject) => object,
): Endpoint {
  const made = new WeakMap<Services["config"], Promise<JsonDocument>>();
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
      const document = JsonDocument.of(
        documentOf({
          calls: documentedCalls,
          productName: config.PRODUCT_NAME,
          recorded: recordedAnswers(),
          host: hostOf(config),
        }),
      );
      made.set(config, document);
      return document;
    },
  });
}

/** The host of PUBLIC_URL, or this machine. */
function hostOf({ PORT, PUBLIC_URL }: Services["config"]): DocumentSubject["host"] {
  if (PUBLIC_URL === undefined) return { host: `localhost:${PORT}`, protocol: "ws" };
  const { host, protocol } = new URL(PUBLIC_URL);
  return { host, protocol: protocol === "https:" ? "wss" : "ws" };
}
