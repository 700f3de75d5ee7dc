import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { CommandError } from '../platform/cli-messages.js';
import { type Repository, settingsName } from './repository.js';
import type { BackupValues } from './settings.js';

/** What the product cannot do without beside its database: its settings with their keys, and the files that they name. */
const keptSchema = z.object({
  settings: z.record(z.string(), z.string()),
  files: z.array(z.object({ path: z.string(), content: z.base64() })),
});
export type KeptSettings = z.output<typeof keptSchema>;

/** Every setting of the product, whoever reads it. */
const OURS =
  /^(NODE_ENV|DATABASE_\w+|STANDBY_\w+|FAMILY_KEY|LEDGER_\w+|SENTINEL_PASSWORD|REDIS_\w+|SMTP_URL|MAIL_FROM|APP_\w+|\w*DB_PASSWORD|POSTGRES_PASSWORD|CLOSE_\w+|PUBLIC_URL|TRUSTED_PROXIES|LOG_LEVEL|WEB_DIR|TRY_\w+|WEBHOOK_\w+|LIMIT_\w+|STREAM_\w+|API_HEAP_MB|OPERATOR_\w+|AUDIT_\w+|WORKER_\w+|PORT|HOST|DRAIN_SECONDS|METRICS_\w+|OTEL_\w+|DISK_PATHS|ALIPAY_\w+|WECHAT_PAY_\w+|LIANLIAN_\w+|PAY_\w+|ORDER_LIFE_SECONDS|TRANSLATION_\w+|GOOGLE_TRANSLATE_\w+|MICROSOFT_TRANSLATOR_\w+|TENCENT_\w+|YOUDAO_\w+|DEEPL_\w+|OPENAI_\w+|LIBRETRANSLATE_\w+|PHRASEBOOK_DIR|APERTIUM_DIR|MEDIA_DIR|BACKUP_\w+|POSTGRES_BIN_DIR)$/;
/** Opens the backup and the bucket: worthless within it. */
const APART = new Set(['BACKUP_KEY', 'BACKUP_S3_SECRET']);
/** Programs, built files and places, not data. */
const INSTALLED = new Set([
  'APP_DIR',
  'WEB_DIR',
  'APERTIUM_DIR',
  'MEDIA_DIR',
  'POSTGRES_BIN_DIR',
  'DISK_PATHS',
  'BACKUP_WORK_DIR',
  'BACKUP_URL',
]);
const MOST_BYTES = 64 * 2 ** 20;

/** Throws CommandError if a file of BACKUP_FILES is missing, or all together are larger than 64 MiB. */
export async function keptSettings(
  given: NodeJS.ProcessEnv,
  values: Pick<BackupValues, 'BACKUP_FILES'>,
): Promise<KeptSettings> {
  const settings = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      value !== undefined && value !== '' && OURS.test(name) && !APART.has(name) ? [[name, value]] : [],
    ),
  );
  const named = Object.entries(settings).flatMap(([name, value]) =>
    path.isAbsolute(value) && !value.includes('\n') && !INSTALLED.has(name) ? [value] : [],
  );
  const found = [
    ...(await Promise.all(named.map((place) => filesAt(place)))).flat(),
    ...(await Promise.all(values.BACKUP_FILES.map((place) => requireFiles(path.resolve(place))))).flat(),
  ];
  const files = await Promise.all(
    [...new Set(found)].sort().map(async (file) => ({ path: file, content: await readFile(file, 'base64') })),
  );
  if (files.reduce((sum, { content }) => sum + content.length, 0) > MOST_BYTES)
    throw new CommandError({
      zh: 'BACKUP_FILES 与设置所指的文件合计超过 48 MiB',
      en: 'The files of BACKUP_FILES and of settings are larger than 48 MiB together.',
    });
  return { settings, files };
}

async function filesAt(place: string): Promise<string[]> {
  const found = await stat(place).catch(() => null);
  if (found?.isFile()) return [place];
  if (!found?.isDirectory()) return [];
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

async function requireFiles(place: string): Promise<string[]> {
  const files = await filesAt(place);
  if (files.length > 0) return files;
  throw new CommandError({
    zh: `BACKUP_FILES 中的 ${place} 不存在或是空目录`,
    en: `${place} of BACKUP_FILES does not exist or is empty.`,
  });
}

export const readKept = async (repository: Repository, copyId: string): Promise<KeptSettings> =>
  keptSchema.parse(JSON.parse((await repository.require(settingsName(copyId))).toString('utf8')));

/** Writes `settings.env` and the files, each below its old path, for this user's eyes alone. Returns how many. */
export async function writeKept({ settings, files }: KeptSettings, into: string): Promise<number> {
  const write = async (name: string, content: string | Buffer): Promise<void> => {
    const file = path.join(into, name);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, content, { mode: 0o600 });
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${JSON.stringify(value)}\n`);
  await write('settings.env', lines.join(''));
  for (const file of files) await write(path.join('files', file.path), Buffer.from(file.content, 'base64'));
  return files.length + 1;
}
