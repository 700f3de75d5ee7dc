import { existsSync } from 'node:fs';
import path from 'node:path';
import { withRestored } from '../backup/drill.js';
import { type Gap, readGap } from '../backup/gap.js';
import { readKept } from '../backup/kept-settings.js';
import { Repository, type RestoreRecord } from '../backup/repository.js';
import { planRestore, type RestorePlan } from '../backup/restore-plan.js';
import { putInPlace, restoreServer, timelineOf } from '../backup/restore.js';
import { type BackupValues, requireBackupValues } from '../backup/settings.js';
import { Clock } from '../platform/clock.js';
import { CommandError, UsageError } from '../platform/cli-messages.js';
import { readArguments, requireWords } from './command-line.js';
import { momentOf } from './payments-reconcile.js';
import { requireStopped } from './require-stopped.js';
import type { Terminal } from './terminal-task.js';

const PROGRESS_MS = 5_000;
const MEGABYTE = 2 ** 20;

/**
 * `restore --into <folder> [--to "YYYY-MM-DD HH:mm:ss"]`: makes a data folder of PostgreSQL with the newest state, or with everything committed
 * until the end of that second. What the folder had stays beside it. The product must be stopped; `restore finish` follows once PostgreSQL runs.
 */
export function restore(args: string[]): (terminal: Terminal) => Promise<void> {
  const parsed = readArguments(args, { options: ['to', 'into'] });
  requireWords(parsed, []);
  const to = momentOf('--to', parsed.options.get('to'), '23:59:59');
  const given = parsed.options.get('into');
  if (given === undefined)
    throw new UsageError({
      zh: '缺少 --into <PostgreSQL 的数据目录>',
      en: 'Missing --into <data folder of PostgreSQL>.',
    });
  const into = path.resolve(given);
  return async ({ config, say }) => {
    const values = requireBackupValues(config);
    const clock = new Clock(config);
    const repository = await Repository.open(values);
    const at = to === null ? null : clock.endOfWire(to);
    const plan = await planRestore(repository, at, (date) => clock.toWire(date));
    await requireStopped(config);
    requireNoServer(into);
    say(restoring(plan, clock));
    await warnOfOtherSettings(repository, plan, say);
    const folder = `${into}.restoring`;
    const { server, connection, seconds } = await restoreServer(repository, plan, {
      folder,
      binDir: values.POSTGRES_BIN_DIR,
      durability: 'kept',
      onProgress: reporter(plan, say),
    });
    let timeline: number;
    try {
      timeline = await timelineOf(connection);
    } finally {
      await server.dispose();
    }
    const gap = await gapAfter(repository, plan, { values, clock }).catch((error: unknown) => {
      say({
        zh: `无法读出这一刻之后的订单，请用 payments reconcile --statement 核对：${String(error)}`,
        en: `The orders after that moment could not be read; compare with payments reconcile --statement: ${String(error)}`,
      });
      return null;
    });
    const restoredTo = stateOf(plan);
    const record: RestoreRecord = {
      madeAt: new Date().toISOString(),
      to: at?.toISOString() ?? null,
      restoredTo: restoredTo.toISOString(),
      timeline,
      gap,
    };
    await repository.noteRestore(record);
    const aside = await putInPlace(folder, into, new Date());
    say({
      zh: `已恢复到 ${clock.toWire(restoredTo)}：解开 ${seconds.copy.toFixed(1)} s，重放 ${seconds.log.toFixed(1)} s。数据在 ${into}`,
      en: `Restored to ${clock.toWire(restoredTo)}: unpacked in ${seconds.copy.toFixed(1)} s, replayed in ${seconds.log.toFixed(1)} s. The data is in ${into}.`,
    });
    if (aside !== null)
      say({
        zh: `原来的数据在 ${aside}，确认后可删除`,
        en: `The data from before is in ${aside}; delete it when you are sure.`,
      });
    say({
      zh: '接下来：启动 PostgreSQL 与 Redis，运行 operator restore finish，再启动其余进程',
      en: 'Next: start PostgreSQL and Redis, run operator restore finish, then start everything else.',
    });
  };
}

/** Throws CommandError if PostgreSQL runs in the folder, perhaps in another container, or did not end in order. */
function requireNoServer(folder: string): void {
  if (!existsSync(path.join(folder, 'postmaster.pid'))) return;
  throw new CommandError({
    zh: `PostgreSQL 还在 ${folder} 中运行，请先停止它。如果确定没有运行，请删除其中的 postmaster.pid`,
    en: `PostgreSQL runs in ${folder}: stop it first. If you are sure that it does not, delete postmaster.pid there.`,
  });
}

const restoring = ({ copy, at, reach }: RestorePlan, clock: Clock) => {
  const stopped = clock.toWire(new Date(copy.stoppedAt));
  const end = clock.toWire(at ?? new Date(reach?.at ?? copy.stoppedAt));
  return {
    zh: `用 ${stopped} 的全量备份恢复到 ${end}`,
    en: `Restoring the full copy of ${stopped}, then its log until ${end}.`,
  };
};

const stateOf = ({ at, reach, copy }: RestorePlan): Date => at ?? new Date(reach?.at ?? copy.stoppedAt);

function reporter({ copy }: RestorePlan, say: Terminal['say']): (bytes: number) => void {
  const total = copy.pieces.reduce((sum, { bytes }) => sum + bytes, 0);
  let last = Date.now();
  return (bytes) => {
    if (Date.now() - last < PROGRESS_MS) return;
    last = Date.now();
    const [done, all] = [bytes, total].map((n) => (n / MEGABYTE).toFixed(0));
    say({ zh: `  已解开 ${done} / ${all} MB…`, en: `  ${done} of ${all} MB unpacked …` });
  };
}

/** Names of settings that the copy has with other values, so that nobody starts with keys that do not fit the data. */
async function warnOfOtherSettings(repository: Repository, { copy }: RestorePlan, say: Terminal['say']): Promise<void> {
  const { settings } = await readKept(repository, copy.id);
  const keys = ['APP_SECRET', 'CLOSE_SIGNING_KEY', 'CLOSE_PUBLIC_KEYS', 'APP_TIMEZONE'];
  const other = keys.filter((name) => settings[name] !== undefined && settings[name] !== process.env[name]);
  if (other.length === 0) return;
  say({
    zh: `注意：备份中的 ${other.join('、')} 与现在的设置不同。用 operator backup files --into <目录> 取出备份时的设置`,
    en: `Note: ${other.join(', ')} differ from the settings of the copy. operator backup files --into <folder> extracts those.`,
  });
}

/** What happened after the moment, read in the newest state of the same timeline. Nothing for a restore of that state itself. */
async function gapAfter(
  repository: Repository,
  plan: RestorePlan,
  { values, clock }: { values: BackupValues; clock: Clock },
): Promise<Gap> {
  const { at } = plan;
  if (at === null) return { orders: [], refunds: [] };
  const newest = await planRestore(repository, null, (date) => clock.toWire(date));
  // The newest copy has less of the log to replay.
  const from = newest.timeline === plan.timeline ? newest : { ...plan, at: null };
  return withRestored(repository, from, values, (connection) => readGap(connection, at));
}
