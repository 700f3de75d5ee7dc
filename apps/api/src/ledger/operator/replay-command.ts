import { once } from 'node:events';
import type pg from 'pg';
import { Clock } from '../../platform/clock.js';
import { replayLedger, type ReplayedAccount } from '../audit/replay-ledger.js';
import { CommandError, UsageError } from '../../platform/cli-messages.js';
import { type CommandContext, interruptible, parseCommandLine } from './command-line.js';
import { printDifference, scopeOf } from './audit-command.js';
import { MESSAGES } from './messages.js';

const OPTIONS = { at: { type: 'string' }, user: { type: 'string' }, format: { type: 'string' } } as const;
const FORMATS = ['table', 'csv', 'tsv'] as const;
const COLUMNS = ['userId', 'familyId', 'seq', 'charNum', 'voiceNum', 'imageNum', 'usedCharTotal', 'rechargeAmountFen'];
const LAST_COLUMNS = ['expireDateTime', 'tranChannelId', 'billingMode'];
const WIDTH = 20;

/** `operator ledger replay`: the balances at a given time, by replaying the entries up to it. */
export async function replayCommand(args: string[], { pool, config, language }: CommandContext): Promise<number> {
  const { values, positionals } = parseCommandLine(args, OPTIONS);
  const clock = new Clock(config);
  const format = FORMATS.find((name) => name === (values.format ?? (values.user === undefined ? 'csv' : 'table')));
  if (positionals.length > 0 || !format)
    throw new UsageError({
      zh: 'ledger replay 的参数为 --at、--user 和 --format table|csv|tsv',
      en: 'ledger replay accepts --at, --user and --format table|csv|tsv',
    });
  const messages = MESSAGES[language];
  const until = momentOf(values.at, clock);
  const { scope } = await scopeOf(pool, values);
  await requireInDatabase(pool, { userIds: scope.userIds, until }, clock);
  // The current second counts as past.
  if (until - 1_000 > clock.now().getTime()) process.stderr.write(`${messages.stillToCome(values.at ?? '')}\n`);

  const header = [...COLUMNS, ...LAST_COLUMNS];
  let found = 0;
  const printRow = async (cells: (string | number | null)[]): Promise<void> => {
    if (!process.stdout.write(`${lineOf(cells, format)}\n`)) await once(process.stdout, 'drain');
  };
  const onAccount = async (account: ReplayedAccount): Promise<void> => {
    const cells = cellsOf(account, clock);
    if (format !== 'table') {
      if (found++ === 0) await printRow(header);
      return printRow(cells);
    }
    if (found++ > 0) await printRow([]);
    for (const [i, name] of header.entries()) await printRow([name, cells[i] ?? '–']);
  };
  const { difference } = await interruptible((signal) => replayLedger(pool, { scope, until, onAccount, signal }));
  if (difference) {
    printDifference(difference, language);
    return 1;
  }
  if (found === 0 && format !== 'table') await printRow(header);
  if (found === 0) process.stderr.write(`${messages.noneAsOld(values.at ?? '')}\n`);
  return 0;
}

/** Throws CommandError if some of these accounts have later translations in cold files. */
async function requireInDatabase(
  pool: pg.Pool,
  { userIds, until }: { userIds: readonly number[] | undefined; until: number },
  clock: Clock,
): Promise<void> {
  const { rows } = await pool.query<{ at: Date | null }>(
    'SELECT max(at) AS at FROM account_archive WHERE $1::bigint[] IS NULL OR user_id = ANY ($1)',
    [userIds ?? null],
  );
  const at = rows[0]?.at;
  if (!at || until >= at.getTime()) return;
  const since = clock.toWire(at);
  throw new CommandError({
    zh: `${since} 之前的翻译已移入冷文件：请选择之后的时间，或先用 ledger thaw 放回`,
    en: `Translations from before ${since} are in cold files: choose a later time, or put them back with ledger thaw.`,
  });
}

/** The last millisecond of the given second, in APP_TIMEZONE. */
function momentOf(text: string | undefined, clock: Clock): number {
  const wrong = new UsageError({
    zh: '--at 需要时间，格式 "YYYY-MM-DD HH:mm:ss"，时区为 APP_TIMEZONE',
    en: '--at must be a time such as "YYYY-MM-DD HH:mm:ss", in APP_TIMEZONE',
  });
  if (text === undefined || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) throw wrong;
  const moment = clock.endOfWire(text);
  // An invalid date such as 31 February is read as another day.
  if (clock.toWire(moment) !== text) throw wrong;
  return moment.getTime();
}

const cellsOf = ({ userId, familyId, state }: ReplayedAccount, clock: Clock): (string | number | null)[] => [
  userId,
  familyId,
  state.seq,
  state.charNum,
  state.voiceNum,
  state.imageNum,
  state.usedCharTotal,
  state.rechargeAmountTotal,
  state.expireAt === null ? null : clock.toWire(new Date(state.expireAt)),
  state.tranChannelId,
  state.billingMode,
];

/** Cells are numbers, dates and fixed words, so nothing needs quoting. */
function lineOf(cells: (string | number | null)[], format: (typeof FORMATS)[number]): string {
  if (format === 'table') return cells.map((cell, i) => (i === 0 ? String(cell).padEnd(WIDTH) : String(cell))).join('');
  return cells.map((cell) => cell ?? '').join(format === 'csv' ? ',' : '\t');
}
