import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import { ListAccountLogs, ListAccountLogsHandler } from '../src/ledger/log/list-account-logs.js';
import { Ledger } from '../src/ledger/ledger.js';
import { LedgerWriter } from '../src/ledger/writer/ledger-writer.js';
import { Clock } from '../src/platform/clock.js';
import { loadConfig } from '../src/platform/config.js';
import { APP_ROLE, parseValues } from '../src/platform/database.js';
import { ListTranslationLogs, ListTranslationLogsHandler } from '../src/translation/list-translation-logs.js';
import { LARGEST_MEMBER } from './history.js';
import { rate, targetLine, type Report, type Target } from './targets.js';

/** `ms`: the median time of a page with its total; `bound`: its limit, ms. */
export type PageFigure = { name: string; ms: number; total: number; bound: number };

const TRIES = 15;
const FAST_MS = 10;
const BOUNDED_MS = 100;
const PAGE_SIZE = 10;
const DEEPEST = 10_000;
/** A deep page of one type of the largest member, who has a tenth of all entries, not all of that type. */
const deepPage = (rows: number): number => Math.min(DEEPEST, Math.floor((rows / 10 / PAGE_SIZE) * 0.8));
const TEXT = 'TRANSLATION_CONSUME';
const COMMON_IP = '192.0.2.3';
const RARE_IP = '192.0.2.210';

type Filter = Omit<ListAccountLogs['filter'], 'pageNum' | 'pageSize'>;

/** Pages of the largest member's logs, through the product's own queries. */
export async function measurePages(url: string, rows: number): Promise<PageFigure[]> {
  const driverOptions = {
    options: `-c role=${APP_ROLE}`,
    onPoolCreated: (pool: { options: { types?: unknown } }) =>
      parseValues(pool.options.types as Parameters<typeof parseValues>[0]),
  };
  const orm = new MikroORM(
    defineConfig({ clientUrl: url, entities: [], discovery: { warnWhenNoEntities: false }, driverOptions }),
  );
  await orm.connect();
  const writer = new LedgerWriter({ connectionString: url });
  const clock = new Clock(
    loadConfig({ DATABASE_URL: url, REDIS_URL: 'redis://none', SMTP_URL: 'smtp://none', APP_SECRET: '0'.repeat(64) }),
  );
  const account = new ListAccountLogsHandler(orm.em, clock);
  const translations = new ListTranslationLogsHandler(orm.em, new Ledger(orm.em, writer), clock);
  const entries = (filter: Filter, pageNum: number) => (): Promise<{ total: number }> =>
    account.execute(new ListAccountLogs(LARGEST_MEMBER, { pageSize: PAGE_SIZE, ...filter, pageNum }, 'zh'));
  const lines = (filter: Omit<Filter, 'logType'>, pageNum: number) => (): Promise<{ total: number }> =>
    translations.execute(new ListTranslationLogs({ pageSize: PAGE_SIZE, ...filter, pageNum }, LARGEST_MEMBER));

  const now = Date.now();
  const deep = deepPage(rows);
  const year = {
    createDateTimeBegin: clock.toWire(new Date(now - 360 * 86_400_000)),
    createDateTimeEnd: clock.toWire(new Date(now + 86_400_000)),
  };
  const recent = { ...year, createDateTimeBegin: clock.toWire(new Date(now - 10 * 86_400_000)) };
  const cases: [name: string, bound: number, run: () => Promise<{ total: number }>][] = [
    ['account log, type and ten days, page 1', FAST_MS, entries({ ...recent, logType: TEXT }, 1)],
    ['account log, type and a year, page 1', FAST_MS, entries({ ...year, logType: TEXT }, 1)],
    [`account log, type and a year, ${pageName(deep)}`, FAST_MS, entries({ ...year, logType: TEXT }, deep)],
    ['account log, a year, page 1', FAST_MS, entries(year, 1)],
    [`account log, a year, ${pageName(deep)}`, FAST_MS, entries(year, deep)],
    ['account log, common address', BOUNDED_MS, entries({ ...year, loginIp: COMMON_IP }, 1)],
    ['account log, rare address', BOUNDED_MS, entries({ ...year, loginIp: RARE_IP }, 1)],
    ['account log, no such address', BOUNDED_MS, entries({ ...year, loginIp: '203.0.113.9' }, 1)],
    ['account log, common client', BOUNDED_MS, entries({ ...year, clientType: 'web' }, 1)],
    ['account log, rare client', BOUNDED_MS, entries({ ...year, clientType: 'ios' }, 1)],
    ['account log, client nobody used', BOUNDED_MS, entries({ ...year, clientType: 'android' }, 1)],
    ['account log, address and client', BOUNDED_MS, entries({ ...year, loginIp: COMMON_IP, clientType: 'web' }, 1)],
    ['account log, address and frequent type', BOUNDED_MS, entries({ ...year, loginIp: COMMON_IP, logType: TEXT }, 1)],
    ['account log, address and rarer type', BOUNDED_MS, entries({ ...year, loginIp: COMMON_IP, logType: 'OTHER' }, 1)],
    [
      'account log, client and rare type',
      BOUNDED_MS,
      entries({ ...year, clientType: 'web', logType: 'SYS_ADJUST' }, 1),
    ],
    [
      'account log, address, client and type',
      BOUNDED_MS,
      entries({ ...year, loginIp: COMMON_IP, clientType: 'web', logType: 'VOICE_CONSUME' }, 1),
    ],
    ['translation log, a year, page 1', FAST_MS, lines(year, 1)],
    [`translation log, a year, ${pageName(deep)}`, FAST_MS, lines(year, deep)],
    ['translation log, common address', BOUNDED_MS, lines({ ...year, loginIp: COMMON_IP }, 1)],
    ['translation log, its last page', BOUNDED_MS, lines({ ...year, loginIp: COMMON_IP }, 1_000)],
    ['translation log, rare client', BOUNDED_MS, lines({ ...year, clientType: 'ios' }, 1)],
    [
      'translation log, address and client',
      BOUNDED_MS,
      lines({ ...year, loginIp: COMMON_IP, clientType: 'windows' }, 1),
    ],
  ];
  try {
    const figures: PageFigure[] = [];
    for (const [name, bound, run] of cases) figures.push({ name, bound, ...(await timed(run)) });
    return figures;
  } finally {
    await writer.close();
    await orm.close(true);
  }
}

const pageName = (page: number): string => `page ${page.toLocaleString('en-US')}`;

async function timed(run: () => Promise<{ total: number }>): Promise<{ ms: number; total: number }> {
  const times: number[] = [];
  let { total } = await run();
  for (let i = 0; i < TRIES; i++) {
    const started = performance.now();
    ({ total } = await run());
    times.push(performance.now() - started);
  }
  return { ms: times.toSorted((a, b) => a - b)[TRIES >> 1] ?? Number.NaN, total };
}

const DEEP_RATIO = 3;

export function reportPages(rows: number, figures: PageFigure[]): Report {
  const deep = pageName(deepPage(rows));
  const targets = figures.map(({ name, ms, bound }): Target => ({
    name,
    kind: 'below',
    gate: bound,
    unit: ' ms',
    found: ms,
  }));
  const of = (name: string): number => targets.find((target) => target.name === name)?.found ?? Number.NaN;
  const ratio: Target = {
    name: `account log, type and a year, ${deep} ÷ page 1`,
    kind: 'at most',
    gate: DEEP_RATIO,
    unit: '×',
    found: of(`account log, type and a year, ${deep}`) / of('account log, type and a year, page 1'),
  };
  const text = [
    '',
    `log pages of a member with a tenth of ${rate(rows)} entries, each with its total, medians of ${TRIES}`,
    ...targets.map((target, i) => `${targetLine(target)} of ${rate(figures[i]?.total ?? 0)}`),
    targetLine(ratio),
  ].join('\n');
  return { text, json: { rows, figures, deepRatio: ratio.found }, targets: [...targets, ratio] };
}
