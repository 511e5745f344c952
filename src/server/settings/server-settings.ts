/** Settings of the process: where it listens, where it stores data, how it is reached. */
import { z } from "zod";
import { flag, wholeNumber } from "./setting-kinds.ts";
import { traceSettings } from "./trace-settings.ts";

export const serverSettings = {
  PRODUCT_NAME: z.string().min(1).max(40).default("Openbell"),
  ENVIRONMENT: z.enum(["development", "production"]).default("development"),
  HOST: z.string().min(1).default("127.0.0.1"),
  PORT: wholeNumber(0, 65_535).default(3000),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).optional(),
  BACKEND_URL: z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .optional(),
  ALLOW_PLAIN_HTTP: flag.default(false),
  TRUSTED_PROXIES: wholeNumber(0, 8).default(0),
  DATA_DIR: z.string().min(1).default("data"),
  ACCEPT_CLOCK: flag.default(false),
  BACKUP_DIR: z.string().min(1).optional(),
  BACKUP_EVERY_HOURS: wholeNumber(1, 24 * 31).default(24),
  BACKUPS_KEPT: wholeNumber(1, 1_000).default(7),
  COMPRESS_JOURNAL: flag.default(true),
  ARCHIVE_DIR: z.string().min(1).optional(),
  ARCHIVE_AFTER_DAYS: wholeNumber(0, 36_500).default(30),
  DISK_FREE_MIN_MB: wholeNumber(0, 1_000_000_000).default(1000),
  DISK_FREE_ORDERS_MIN_MB: wholeNumber(0, 1_000_000_000).default(250),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must begin with postgres:// or postgresql://")
    .optional(),
  NATS_URL: z
    .string()
    .regex(/^(nats|tls):\/\//, "must begin with nats:// or tls://")
    .optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, "must begin with smtp:// or smtps://")
    .optional(),
  MAIL_FROM: z.string().min(3).default("Openbell <no-reply@localhost>"),
  METRICS_TOKEN: z.string().min(16, "must have 16 characters or more").max(200).optional(),
  ...traceSettings,
  LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
} as const;
