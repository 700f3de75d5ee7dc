/** What an operator does beside the journeys: `npm run operator` on the system under test. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROGRAM = fileURLToPath(new URL('../../../../infra/local/operator.mjs', import.meta.url));
const PATIENCE_MS = 120_000;

/** `npm test` says where its product keeps what it has; a product started by hand is found by the environment, as an operator finds it. */
function surroundings(): NodeJS.ProcessEnv {
  const { OPERATOR_DATA_DIR: dataDir, ...env } = process.env;
  if (!dataDir) return env;
  // Its own stores, never those that the environment names.
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'SMTP_URL']) delete env[name];
  return { ...env, DATA_DIR: dataDir };
}

/** Answers what the command prints; throws with it when it fails. */
export async function operate(...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...words], {
    env: surroundings(),
    timeout: PATIENCE_MS,
  });
  return stdout;
}

export type NoticeTexts = { name: string; title: string; subTitle: string; content: string };

const published = new Set<number>();

/** Publishes a notice at once; answers its id. */
export async function publishNotice(notice: { zh: NoticeTexts; en: NoticeTexts }): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'notice-'));
  try {
    const file = join(folder, 'notice.json');
    await writeFile(file, JSON.stringify(notice));
    const id = Number(/^\s*(\d+)\b/m.exec(await operate('notice', 'publish', `@${file}`))?.[1]);
    published.add(id);
    return id;
  } finally {
    await rm(folder, { recursive: true });
  }
}

export async function withdrawNotice(id: number): Promise<void> {
  published.delete(id);
  await operate('notice', 'withdraw', String(id));
}

/** Withdraws whatever the file has published and not withdrawn: other journeys have the same site. */
export async function withdrawNotices(): Promise<void> {
  for (const id of [...published]) await withdrawNotice(id);
}
