import tailwindcss from "@tailwindcss/vite";
import { tanstackStart } from "@tanstack/react-start/plugin/vite";
import viteReact from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { chartParts } from "./scripts/chart-parts.ts";
import { leanLibraries } from "./scripts/lean-libraries.ts";

const KIT =
  /\/src\/(web\/(ui\/(badge|button|price-change|class-names|coin-icon|direction-mark|empty-state|input|live-text|search-input|skeleton|table|toast)|format\/(money|decimal-text|given-price|coin-status)|frame\/(wordmark|skip-link))|contract\/functions)\.tsx?$|\/lucide-react\/dist\/esm\/icons\/(check|chevron-down|search-x)\.mjs$/;
const LIBRARIES =
  /\/node_modules\/(react|scheduler|convex|@convex-dev|@tanstack|clsx|class-variance-authority|use-sync-external-store)\/(?!.*\/(useBlocker|useMutation|useInfiniteQuery|mutationObserver|infiniteQueryObserver|http_client|use_paginated_query|use_queries|queries_observer|use_subscription|compare|compare_utf8)\.js$)/;

/**
 * What nearly every page loads anyway comes as a few files in place of dozens, which compress worse the
 * smaller they are. Anything else that several pages share is split by who loads it. A file of one group
 * takes along what it imports, unless an earlier group has it.
 */
const SHARED = [
  {
    // What every page loads, without what the public site never uses of the libraries.
    name: "core",
    test: new RegExp(`${KIT.source}|${LIBRARIES.source}`),
  },
  {
    // What every page but those of the public site loads.
    name: "page",
    test: /\/src\/web\/(ui\/(lazy-component|panel-boundary)|session\/(unsaved-changes|use-backend|account-error)|frame\/(leave-guard|lazy-toaster))\.tsx?$|\/node_modules\/@tanstack\/.*\/(useBlocker|useMutation|mutationObserver)\.js$/,
  },
  {
    // What every page of signed-in people loads.
    name: "frame",
    test: /\/src\/web\/(ui\/popover|features\/coin-details\/coin-details-button|session\/(connection|connection-watch|requests|data-age)|frame\/(app-frame|connection-state|navigation|user-menu))\.tsx?$/,
  },
  {
    // What the pages with orders share with the parts of them that come later.
    name: "orders",
    test: /\/src\/(contract\/(order-words|decimal|enumerations|candle-intervals)|web\/(format\/(order-label|number-input|amount)|session\/(use-frame-query|frame-store|use-is-signed-in|use-pending-note|use-cancel-order|use-amend-order|pending-requests|order-preferences)|ui\/(plain-select|field|form-alert|checkbox|sorted-table)|features\/(chart\/(panes|intervals|indicators\/indicator-names)|orders-panel\/(order-buttons|order-cells))))\.tsx?$|\/lucide-react\/dist\/esm\/icons\/(list-ordered|x|bell-plus)\.mjs$/,
  },
  {
    // What pages with forms share.
    name: "forms",
    test: /\/src\/web\/ui\/(form|text-field|select-field|framed-select)\.tsx?$/,
  },
  {
    // What pages with records share.
    name: "records",
    test: /\/src\/web\/(ui\/(expanding-row|facts|skeleton-rows)|session\/(paged-feed|unreadable))\.tsx$/,
  },
];

/**
 * Builds the pages into dist/client (static files) and dist/server (the request handler that
 * src/server/main.ts imports). The order of the plugins matters.
 */
export default defineConfig(({ command }) => ({
  plugins: [
    tailwindcss(),
    tanstackStart({
      srcDirectory: "src/web",
      router: {
        quoteStyle: "double",
        semicolons: true,
        // Error pages are in what every page loads: a file that names them again costs more than it saves.
        codeSplittingOptions: { defaultBehavior: [["component"], ["notFoundComponent"]] },
      },
      // The pages reach the server through the request context only: a second copy of the database
      // or of the accounts inside the page bundle would be a second process in disguise.
      importProtection: {
        behavior: "error",
        client: { files: ["**/src/server/**"] },
        server: { files: ["**/src/server/**"] },
      },
    }),
    viteReact(),
    chartParts(),
    leanLibraries(),
  ],
  environments:
    command === "build"
      ? {
          // The build is whole in itself; Vite's own module runner cannot load CommonJS that way.
          ssr: { resolve: { noExternal: true } },
          // A browser has a window: what libraries carry for rendering on a server stays out.
          client: {
            define: { "typeof window": JSON.stringify("object") },
            build: {
              modulePreload: false,
              rolldownOptions: { output: { codeSplitting: { groups: SHARED } } },
            },
          },
        }
      : {},
  build: { target: "es2022", reportCompressedSize: false },
}));
