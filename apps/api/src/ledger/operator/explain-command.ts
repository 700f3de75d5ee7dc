import { once } from 'node:events';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import { changeTagOf } from '@yiqiao/contracts/account-log';
import { CHANGE_TAGS } from '@yiqiao/domain/explanations';
import { ENTRY_TYPES, type Quota } from '@yiqiao/domain/ledger';
import { Clock } from '../../platform/clock.js';
import { type AccountLogRow, readRows } from '../log/account-log-rows.js';
import { accountFrom, openAccounts, type StoredAccount } from '../audit/audit-rows.js';
import { withSnapshot } from '../audit/snapshot.js';
import { type Language, UsageError } from '../../platform/cli-messages.js';
import { type CommandContext, parseCommandLine } from './command-line.js';
import { findAccount, type FoundAccount } from './find-account.js';
import { grouped } from './progress.js';

const OPTIONS = { lang: { type: 'string' }, last: { type: 'string' } } as const;
const LANGUAGES = ['zh', 'en'] as const;
const STEP = 500;

const LABELS = {
  zh: {
    account: '账号',
    family: '主账号',
    omitted: (n: string) => `（较早的 ${n} 条未显示）`,
    archived: (n: string, id: number) => `（最早的 ${n} 条已归档到冷文件；可用 ledger thaw ${id} 放回）`,
    chars: '字符',
    voice: '语音',
    images: '图片',
    expiry: '到期',
    then: '此后',
    now: '现在',
    held: (n: string) => `（其中 ${n} 由进行中的翻译占用）`,
    used: '累计使用字符',
    recharged: '累计充值（元）',
    none: '还没有任何记录。',
  },
  en: {
    account: 'Account',
    family: 'main account',
    omitted: (n: string) => `(${n} earlier entries are not shown)`,
    archived: (n: string, id: number) => `(the first ${n} entries are in cold files; ledger thaw ${id} puts them back)`,
    chars: 'characters',
    voice: 'voice',
    images: 'images',
    expiry: 'expiry',
    then: 'then',
    now: 'Now',
    held: (n: string) => ` (${n} of them held by translations under way)`,
    used: 'characters used in all',
    recharged: 'recharged in all (CNY)',
    none: 'There is no entry yet.',
  },
} as const;

/** `operator ledger explain`: every entry as a sentence with the balance it left, oldest first. */
export async function explainCommand(
  args: string[],
  { pool, config, language: ofTerminal }: CommandContext,
): Promise<number> {
  const { values, positionals } = parseCommandLine(args, OPTIONS);
  const language = LANGUAGES.find((name) => name === (values.lang ?? ofTerminal));
  const last = values.last === undefined ? Number.POSITIVE_INFINITY : Number(values.last);
  const [who] = positionals;
  if (!language || who === undefined || positionals.length > 1 || !(last >= 1))
    throw new UsageError({
      zh: 'ledger explain 需要一个账号，可加 --lang zh|en 和 --last <n>',
      en: 'ledger explain accepts one account, --lang zh|en and --last <n>',
    });
  const found = await findAccount(pool, who);
  const account = await withSnapshot(pool, 2, async ([client]) => {
    const rows = await openAccounts(client, { userIds: [found.userId] });
    const answer = accountFrom(rows);
    await rows.fill();
    return { answer, unread: false };
  });

  const print = async (text: string): Promise<void> => {
    if (!process.stdout.write(`${text}\n`)) await once(process.stdout, 'drain');
  };
  const labels = LABELS[language];
  const clock = new Clock(config);
  await print(headline(found, language));
  const newest = account.state.seq;
  const { rows } = await pool.query<{ seq: string }>('SELECT seq FROM account_archive WHERE user_id = $1', [
    found.userId,
  ]);
  const archived = Number(rows[0]?.seq ?? 0);
  const first = Math.max(archived + 1, newest - last + 1);
  if (newest === 0) await print(labels.none);
  if (archived > 0) await print(labels.archived(grouped(archived), found.userId));
  if (first > archived + 1) await print(labels.omitted(grouped(first - archived - 1)));
  const orm = new MikroORM(
    defineConfig({ clientUrl: config.migrationUrl, entities: [], discovery: { warnWhenNoEntities: false } }),
  );
  try {
    for (let seq = first; seq <= newest; seq += STEP) {
      const condition = 'seq BETWEEN ? AND ?';
      const parameters = [seq, Math.min(newest, seq + STEP - 1)];
      const rows = await readRows(orm.em.fork(), { userId: found.userId, language, condition, parameters }, clock);
      for (const [i, row] of rows.reverse().entries()) await print(describe(row, seq + i, language));
    }
  } finally {
    await orm.close(true);
  }
  await print(`\n${present(account, { clock, language })}`);
  return 0;
}

function headline({ userId, familyId, name }: FoundAccount, language: Language): string {
  const labels = LABELS[language];
  return `${labels.account} ${userId}${name === null ? '' : ` ${name}`}${userId === familyId ? '' : ` · ${labels.family} ${familyId}`}`;
}

/** An entry: time, type and sentence, then its changes and the balance after it. */
function describe(row: AccountLogRow, seq: number, language: Language): string {
  const labels = LABELS[language];
  const changes = [
    step(labels.chars, row.beforeCharNum, row.lastCharNum),
    step(labels.voice, row.beforeVoiceNum, row.lastVoiceNum),
    step(labels.images, row.beforeImageNum, row.lastImageNum),
    row.beforeExpireDateTime === row.lastExpireDateTime
      ? null
      : `${labels.expiry} ${row.beforeExpireDateTime ?? '–'} → ${row.lastExpireDateTime ?? '–'}`,
  ].filter((text) => text !== null);
  const { lastCharNum: charNum, lastVoiceNum: voiceNum, lastImageNum: imageNum } = row;
  const left = `${labels.then}: ${quota({ charNum, voiceNum, imageNum }, language)}`;
  const head = `#${seq}  ${row.createDateTime}  [${CHANGE_TAGS[changeTagOf(row)][language]}] ${ENTRY_TYPES[row.logType][language]}`;
  return [`\n${head}`, row.explanation, [...changes, left].join(' · ')].join('\n    ');
}

function step(what: string, before: number, after: number): string | null {
  if (before === after) return null;
  const change = after - before;
  return `${what} ${grouped(before)} → ${grouped(after)} (${change > 0 ? '+' : '−'}${grouped(Math.abs(change))})`;
}

function quota({ charNum, voiceNum, imageNum }: Quota, language: Language): string {
  const labels = LABELS[language];
  return `${grouped(charNum)} ${labels.chars}, ${grouped(voiceNum)} ${labels.voice}, ${grouped(imageNum)} ${labels.images}`;
}

function present({ state, held }: StoredAccount, { clock, language }: { clock: Clock; language: Language }): string {
  const labels = LABELS[language];
  const reserved = held.charNum > 0 ? labels.held(grouped(held.charNum)) : '';
  const expiry = state.expireAt === null ? '–' : clock.toWire(new Date(state.expireAt));
  return [
    `${labels.now}: ${quota(state, language)}${reserved}`,
    `${labels.used} ${grouped(state.usedCharTotal)} · ${labels.recharged} ${(state.rechargeAmountTotal / 100).toFixed(2)} · ${labels.expiry} ${expiry}`,
  ].join('\n');
}
