/**
 * The life of the process: reads the settings, starts the server, and stops it on SIGTERM or SIGINT. If
 * the start fails, prints one readable sentence and exits with code 1.
 */
import { type Config, SettingsError, mistypedSettings, readConfig } from "./settings/config.ts";
import { diskRefusalOf } from "./installation/disk-refusal.ts";
import { keepFilesPrivate } from "./installation/file-permissions.ts";
import { createLog, messageOf } from "./log.ts";
import type { OpenPages } from "./pages/pages.ts";
import { startServer } from "./start-server.ts";
import { traceFields } from "./tracing/active-span.ts";

/** How long a clean stop may take before the process ends anyway. */
const STOP_LIMIT_MS = 15_000;

export async function run(openPages: OpenPages): Promise<void> {
  keepFilesPrivate();
  const config = settingsOrExit();
  const isTraced = config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined;
  const log = createLog({ level: config.LOG_LEVEL, fields: isTraced ? traceFields : undefined });
  for (const sentence of mistypedSettings(process.env)) log.warn(sentence);
  try {
    const server = await startServer({ config, log, openPages });
    const listening =
      server.url === server.listeningAt ? "" : `, listening at ${server.listeningAt}`;
    process.stdout.write(`\n  ${config.PRODUCT_NAME} is open at ${server.url}${listening}\n\n`);
    let isStopping = false;
    const stop = (signal: NodeJS.Signals): void => {
      // A parent process may forward a signal that reaches this process as well.
      if (isStopping) return;
      isStopping = true;
      log.info({ signal }, "stopping");
      setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
      server.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, "the stop was not clean");
          process.exit(1);
        },
      );
    };
    process.on("SIGTERM", stop);
    process.on("SIGINT", stop);
  } catch (error) {
    log.debug({ err: error }, "the start failed");
    exitWith(diskRefusalOf(error, config.DATA_DIR) ?? messageOf(error));
  }
}

function settingsOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof SettingsError) return exitWith(error.message);
    throw error;
  }
}

function exitWith(sentence: string): never {
  process.stderr.write(`\n${sentence}\n`);
  process.exit(1);
}
