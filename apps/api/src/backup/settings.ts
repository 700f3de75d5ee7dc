import path from 'node:path';
import { z } from 'zod';
import { CommandError } from '../platform/cli-messages.js';
import type { Config, Settings } from '../platform/config.js';
import { databaseUrl, listOf, webUrl, wholeNumber } from '../platform/setting-types.js';

const shape = {
  /** A folder, or `s3://bucket/prefix`. */
  BACKUP_URL: z.string().optional(),
  /** Encrypts everything in the repository; kept apart from it. */
  BACKUP_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, '64 hexadecimal digits (openssl rand -hex 32)')
    .optional(),
  /** A login with the right to replicate; the owner of the schema by default. */
  BACKUP_DATABASE_URL: databaseUrl.optional(),
  /** A backup counts as late after 26 hours. */
  BACKUP_EVERY_HOURS: wholeNumber(1, 24).default(24),
  /** The longest that what is written can wait for the repository. */
  BACKUP_WAL_SECONDS: wholeNumber(1, 300).default(5),
  BACKUP_KEEP_DAYS: wholeNumber(1, 3_650).default(14),
  /** Files and folders kept with each copy, beside those that settings name. */
  BACKUP_FILES: listOf(''),
  BACKUP_S3_ENDPOINT: webUrl.optional(),
  BACKUP_S3_REGION: z.string().min(1).default('us-east-1'),
  BACKUP_S3_KEY_ID: z.string().min(1).optional(),
  BACKUP_S3_SECRET: z.string().min(1).optional(),
  /** When the worker has the newest copy restored every night, in APP_TIMEZONE; off: never. */
  BACKUP_DRILL_AT: z
    .string()
    .regex(/^(([01]\d|2[0-3]):[0-5]\d|off)$/, 'a time such as 04:25, or off')
    .default('04:25'),
  /** Where drills and the discarded part of a restore are unpacked. */
  BACKUP_WORK_DIR: z.string().min(1).optional(),
  /** The folder with `postgres` of the server's major version. */
  POSTGRES_BIN_DIR: z.string().min(1).optional(),
};

type Values = z.output<z.ZodObject<typeof shape>>;

/** The settings of backups. */
export const backupSettings: Settings<typeof shape> = {
  shape,
  problems: (given, values, isProduction) => {
    const problems: string[] = [];
    if (given['BACKUP_URL'] && !given['BACKUP_KEY'])
      problems.push('BACKUP_KEY: required with BACKUP_URL (openssl rand -hex 32)');
    const url = values?.BACKUP_URL;
    if (url === undefined) return problems;
    if (!url.startsWith('s3://')) {
      if (folderOf(url) === null) problems.push('BACKUP_URL: an absolute path or s3://bucket/prefix');
      return problems;
    }
    if (!/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/|$)/.test(url)) problems.push('BACKUP_URL: s3://bucket/prefix');
    for (const name of ['BACKUP_S3_KEY_ID', 'BACKUP_S3_SECRET'])
      if (!given[name]) problems.push(`${name}: required with an s3:// BACKUP_URL`);
    if (isProduction && values?.BACKUP_S3_ENDPOINT?.startsWith('http:'))
      problems.push('BACKUP_S3_ENDPOINT: https in production');
    return problems;
  },
};

/** The absolute path that BACKUP_URL is; null for anything else. */
export const folderOf = (url: string): string | null => (path.isAbsolute(url) ? url : null);

export type BackupValues = Values & { BACKUP_URL: string; BACKUP_KEY: string };

/** Null where no backup is configured. */
export function backupValues(config: Config): BackupValues | null {
  const values = config.read(backupSettings);
  const { BACKUP_URL, BACKUP_KEY } = values;
  return BACKUP_URL === undefined || BACKUP_KEY === undefined ? null : { ...values, BACKUP_URL, BACKUP_KEY };
}

/** Throws CommandError, with what to set, where no backup is configured. */
export function requireBackupValues(config: Config): BackupValues {
  const values = backupValues(config);
  if (values) return values;
  throw new CommandError({
    zh: '没有配置备份：请设置 BACKUP_URL（目录或 s3://桶/前缀）和 BACKUP_KEY（openssl rand -hex 32）',
    en: 'No backup is configured: set BACKUP_URL (a folder, or s3://bucket/prefix) and BACKUP_KEY (openssl rand -hex 32).',
  });
}
