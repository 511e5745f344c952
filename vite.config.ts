import tailwindcss from "@tailwindcss/vite";
import { tanstackStart } from "@tanstack/react-start/plugin/vite";
import viteReact from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/**
 * What nearly every page loads anyway comes as two files in place of dozens, which compress worse the
 * smaller they are. Anything else that several pages share is split by who loads it.
 */
const SHARED = [
  {
    name: "kit",
    test: /\/src\/(web\/(ui\/(badge|button|change|class-names|coin-icon|direction-mark|empty-state|input|live-text|search-input|skeleton|table)|format\/(money|decimal-text)|frame\/wordmark)|contract\/functions)\.tsx?$/,
  },
  {
    name: "core",
    test: /\/node_modules\/(react|scheduler|convex|@convex-dev|@tanstack|seroval|clsx|class-variance-authority|use-sync-external-store)\//,
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
  ],
  environments:
    command === "build"
      ? {
          // The build is whole in itself; Vite's own module runner cannot load CommonJS that way.
          ssr: { resolve: { noExternal: true } },
          // A browser has a window: what libraries carry for rendering on a server stays out.
          client: {
            define: { "typeof window": JSON.stringify("object") },
            build: { rolldownOptions: { output: { codeSplitting: { groups: SHARED } } } },
          },
        }
      : {},
  build: { target: "es2022", reportCompressedSize: false },
}));
