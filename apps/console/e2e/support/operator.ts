/** Runs `npm run operator` against the system under test. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROGRAM = fileURLToPath(new URL('../../../../infra/local/operator.mjs', import.meta.url));
const TIMEOUT_MS = 120_000;

/** `npm test` passes its data directory; a manually started product is found through the environment, as for an operator. */
function operatorEnv(): NodeJS.ProcessEnv {
  const { OPERATOR_DATA_DIR: dataDir, ...env } = process.env;
  if (!dataDir) return env;
  // Its own stores, never those named by the environment.
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'SMTP_URL']) delete env[name];
  return { ...env, DATA_DIR: dataDir };
}

/** Returns the output of the command; throws with it on failure. */
export async function runOperator(...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...words], {
    env: operatorEnv(),
    timeout: TIMEOUT_MS,
  });
  return stdout;
}

export type NoticeTexts = { name: string; title: string; subTitle: string; content: string };

const published = new Set<number>();

/** Publishes a notice and returns its id. */
export async function publishNotice(notice: { zh: NoticeTexts; en: NoticeTexts }): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'notice-'));
  try {
    const file = join(folder, 'notice.json');
    await writeFile(file, JSON.stringify(notice));
    const id = Number(/^\s*(\d+)\b/m.exec(await runOperator('notice', 'publish', `@${file}`))?.[1]);
    published.add(id);
    return id;
  } finally {
    await rm(folder, { recursive: true });
  }
}

export async function withdrawNotice(id: number): Promise<void> {
  published.delete(id);
  await runOperator('notice', 'withdraw', String(id));
}

/** Withdraws all notices that the file has published, because other journeys share the site. */
export async function withdrawNotices(): Promise<void> {
  for (const id of [...published]) await withdrawNotice(id);
}
