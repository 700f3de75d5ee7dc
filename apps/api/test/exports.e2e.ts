/** Downloads (decisions §9): the content of the pages as tables of any length for spreadsheets, safe against formulas. */
import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import { exportAccountLogs, listAccountLogs, totalAccountLogs } from '@yiqiao/contracts/account-log';
import type { Endpoint } from '@yiqiao/contracts/endpoint';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { logout } from '@yiqiao/contracts/login';
import { exportLoginLogs, listLoginLogs } from '@yiqiao/contracts/login-log';
import { tokenOf } from '@yiqiao/contracts/signing';
import { exportTranslationLogs, listTranslationLogs, totalTranslationLogs } from '@yiqiao/contracts/translation';
import { FILTERED_ROWS_MAX } from '@yiqiao/domain/limits';
import { Ledger } from '../src/ledger/ledger.js';
import { CsvDownloads } from '../src/platform/csv-downloads.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { logAdjustment } from './support/operator.js';
import { startApi, type TestApi } from './support/api.js';
import { headersOf } from './support/client.js';
import { makeMain, setChars } from './support/family.js';
import { usage } from './support/ledger-fixture.js';
import type { TestMember } from './support/test-members.js';
import { waitUntil } from './support/wait-until.js';

const LINES = 5_200;
/** Of the 26 pages of 200 lines: enough that a compressed file has begun to arrive. */
const HELD_AFTER = 20;
const sha256 = (text: string): string => hash('sha256', text, 'hex');

let api: TestApi;
let person: TestMember;

beforeAll(async () => {
  api = await startApi({ LIMIT_EXPORTS_PER_MINUTE: '1000' });
  person = await makeMain(api);
  await setChars(api, person.session.userId, 1_000_000);
  await translate(person, LINES);
});
afterAll(() => api.stop());

/** `n` charged translations: lines 1 … n of the log cost 1 … n % 7 + 1 characters. */
async function translate({ session: { userId } }: TestMember, n: number): Promise<void> {
  const ledger = api.app.get(Ledger, { strict: false });
  const one = async (i: number): Promise<void> => {
    const to = { id: uuid7(), userId, familyId: userId };
    await ledger.hold({ ...to, ask: { kind: 'text', codePoints: (i % 7) + 1 } });
    const android = { ip: '2001:db8::1', clientType: 'android' } as const;
    await ledger.settle({ ...to, usage: { ...usage, ...(i % 100 === 0 ? android : {}) } });
  };
  for (let from = 0; from < n; from += 1_000)
    await Promise.all(Array.from({ length: Math.min(1_000, n - from) }, (_, i) => one(from + i)));
}

type Headers = Record<string, string>;

const get = (endpoint: Endpoint, query: Record<string, string> = {}, who: TestMember = person, headers: Headers = {}) =>
  fetch(`${api.url}${BASE_PATH}${endpoint.path}?${new URLSearchParams(query).toString()}`, {
    headers: { ...headersOf(who.session), ...headers },
  });

/** The cells by line, headings first, unquoted like a spreadsheet does. */
function cellsOf(text: string): string[][] {
  const lines: string[][] = [[]];
  for (const [, cell = '', end] of text.replace(/^\uFEFF/, '').matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g)) {
    lines.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end !== ',') lines.push([]);
  }
  return lines.slice(0, -1);
}

async function table(...args: Parameters<typeof get>): Promise<Record<string, string>[]> {
  const answer = await get(...args);
  expect(answer.status).toBe(200);
  const [heads = [], ...rows] = cellsOf(
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer()),
  );
  return rows.map((row) => Object.fromEntries(heads.map((head, i) => [head, row[i] ?? ''])));
}

describe('the totals of a log', () => {
  const sum = (rows: Record<string, string>[], column: string): number =>
    rows.reduce((total, row) => total + Number(row[column]), 0);

  it('add up every entry of the filter', async () => {
    for (const query of [{}, { logType: 'TRANSLATION_CONSUME' }, { clientType: 'android' }] as const) {
      const rows = await table(exportAccountLogs, query as Record<string, string>);
      const { total, channels } = await person.client.call(totalAccountLogs, query);
      expect(total).toBe(rows.length);
      const ups = rows.map((row) => Number(row['字符变动'])).filter((n) => n > 0);
      const over = (name: 'charIn' | 'charOut' | 'imageIn') => channels?.reduce((all, row) => all + row[name], 0);
      expect(over('charIn')).toBe(ups.reduce((all, n) => all + n, 0));
      expect((over('charIn') ?? 0) - (over('charOut') ?? 0)).toBe(sum(rows, '字符变动'));
      expect(over('imageIn')).toBe(sum(rows, '图片变动'));
    }
  });

  it('are refused when requested too often', async () => {
    const narrow = await startApi({ LIMIT_TOTALS_PER_MINUTE: '2' });
    const { client } = await makeMain(narrow);
    await client.call(totalAccountLogs, {});
    await client.call(totalTranslationLogs, {});
    for (const endpoint of [totalAccountLogs, totalTranslationLogs])
      expect(await client.send(endpoint, {})).toMatchObject({ status: 429, body: { code: 'TOO_MANY_REQUESTS' } });
    await narrow.stop();
  });

  it('name each channel and kind of the translations', async () => {
    const rows = await table(exportTranslationLogs, { clientType: 'android' });
    const { total, channels } = await person.client.call(totalTranslationLogs, { clientType: 'android' });
    expect([total, rows.length]).toEqual([LINES / 100, LINES / 100]);
    const charged = sum(rows, '计费数量');
    expect(channels).toEqual([{ tranChannelId: 1, kind: 'text', times: LINES / 100, failed: 0, charged }]);
    expect(await person.client.call(totalTranslationLogs, {})).toMatchObject({ total: LINES });
    const before = { createDateTimeEnd: '2020-01-01 00:00:00' };
    expect(await person.client.call(totalTranslationLogs, before)).toEqual({ total: 0, channels: [] });
    expect(await person.client.call(totalAccountLogs, before)).toEqual({ total: 0, channels: [] });
  });

  it('adds up no more entries of a client than it counts', async () => {
    const many = await makeMain(api);
    const { client, session } = many;
    await setChars(api, session.userId, 1_000_000);
    await translate(many, FILTERED_ROWS_MAX + 250);
    const to = { id: uuid7(), userId: session.userId, familyId: session.userId };
    const ledger = api.app.get(Ledger, { strict: false });
    await ledger.hold({ ...to, ask: { kind: 'voice', minutes: 1 } });
    await ledger.settle({ ...to, usage });
    const totals = (filter: object) => client.call(totalAccountLogs, filter);
    expect(await totals({ clientType: 'web' })).toEqual({ total: FILTERED_ROWS_MAX, channels: null });
    // Of the newest lines of the client one is of another type: the count is below the bound, and still not complete.
    expect(await totals({ clientType: 'web', logType: 'TRANSLATION_CONSUME' })).toEqual({
      total: FILTERED_ROWS_MAX - 1,
      channels: null,
    });
    expect(await totals({ clientType: 'web', logType: 'VOICE_CONSUME' })).toMatchObject({
      total: 1,
      channels: [{ voiceOut: 1 }],
    });
    const android = await totals({ clientType: 'android', logType: 'TRANSLATION_CONSUME' });
    expect([android.total, android.channels?.length]).toEqual([103, 1]);
    expect(await client.call(totalTranslationLogs, { clientType: 'web' })).toEqual({
      total: FILTERED_ROWS_MAX,
      channels: null,
    });
    expect(await client.call(totalTranslationLogs, { clientType: 'android' })).toMatchObject({
      total: 103,
      channels: [{ times: 103 }],
    });
  });
});

describe('a download', () => {
  it('declares its type and starts with a UTF-8 BOM', async () => {
    const answer = await get(exportAccountLogs);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="account-log-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const text = bytes.toString('utf8');
    expect(text.split('\r\n')).toHaveLength(LINES + 2 + 2);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  it('contains every entry once, newest first, as on the page', async () => {
    const rows = await table(exportAccountLogs);
    expect(rows).toHaveLength(LINES + 2);
    const page = await person.client.call(listAccountLogs, { pageSize: '100', pageNum: '3' });
    page.rows.forEach((shown, i) => {
      expect(rows[200 + i]).toMatchObject({
        编号: String(shown.id),
        时间: shown.createDateTime,
        说明: shown.explanation,
        字符变动: String(shown.charChangeNum),
        字符变动前: String(shown.beforeCharNum),
        字符变动后: String(shown.lastCharNum),
        类型: '翻译消耗',
        变动: '减少',
        消费通道: '离线引擎',
        计费方式变动前: '按字符',
        '消费 IP': shown.consumerIp,
      });
    });
    rows.slice(1).forEach((row, i) => expect(row['字符变动后']).toBe(rows[i]?.['字符变动前']));
  });

  it('is in English for English clients', async () => {
    const [first] = await table(exportAccountLogs, {}, person, { 'Accept-Language': 'en-US' });
    expect(first).toMatchObject({ Type: 'Translation', Change: 'Decrease', 'Channel used': 'Offline engine' });
    const [line] = await table(exportTranslationLogs, {}, person, { 'Accept-Language': 'en' });
    expect(line).toMatchObject({ Result: 'ok', Billing: 'per character', Channel: 'Offline engine', To: 'English' });
  });

  it('applies the filters of the page', async () => {
    expect(await table(exportAccountLogs, { logType: 'SYS_ADJUST' })).toHaveLength(1);
    expect(await table(exportAccountLogs, { logType: 'MATRIX' })).toEqual([]);
    expect(await table(exportAccountLogs, { createDateTimeEnd: '2020-01-01 00:00:00' })).toEqual([]);
    const wanted = { loginIp: '2001:db8::1', clientType: 'android' };
    const entries = await table(exportAccountLogs, wanted);
    expect(entries).toHaveLength(LINES / 100);
    expect(entries.every((row) => row['消费 IP'] === '2001:db8::1')).toBe(true);
    expect(await table(exportAccountLogs, { ...wanted, logType: 'SYS_ADJUST' })).toEqual([]);
    const lines = await table(exportTranslationLogs, { clientType: 'android' });
    expect(lines).toHaveLength(LINES / 100);
    expect(lines[0]).toMatchObject({ 客户端: '安卓', IP: '2001:db8::1', 结果: '成功', 计费方式: '按字符' });
    expect(await table(exportTranslationLogs, { loginIp: '203.0.113.99' })).toEqual([]);
    const second = (await person.client.call(listTranslationLogs, { pageSize: '1' })).rows[0]?.createDateTime ?? '';
    const within = { createDateTimeBegin: second, createDateTimeEnd: second };
    const { total } = await person.client.call(listTranslationLogs, within);
    expect(await table(exportTranslationLogs, within)).toHaveLength(total);
  });

  it('of logins contains all of them, newest first, across its steps', async () => {
    const who = await makeMain(api);
    await api.db.query(
      `INSERT INTO login_log (user_id, family_id, login_ip, client_type, logged_in_at, sum_day)
       SELECT $1, $1, ('192.0.2.' || n % 200)::inet, n % 5, now() - n / 3 * interval '1 hour', 1 FROM generate_series(1, 613) n`,
      [who.session.userId],
    );
    const rows = await table(exportLoginLogs, {}, who);
    expect(rows).toHaveLength(614);
    const { rows: page } = await who.client.call(listLoginLogs, { pageSize: '100', pageNum: '3' });
    page.forEach((shown, i) =>
      expect(rows[200 + i]).toMatchObject({
        编号: String(shown.id),
        '登录 IP': shown.loginIp,
        登录时间: shown.loginDateTime,
      }),
    );
    expect(await table(exportLoginLogs, { clientType: 'ios' }, who)).toHaveLength(122); // n % 5 = 4
    expect(await table(exportLoginLogs, { loginIp: '203.0.113.99' }, who)).toEqual([]);
  });

  it('contains only the member’s own lines', async () => {
    const other = await makeMain(api);
    expect(await table(exportAccountLogs, {}, other)).toHaveLength(1);
    expect(await table(exportTranslationLogs, {}, other)).toEqual([]);
    expect(await table(exportLoginLogs, {}, other)).toHaveLength(1);
  });
});

it('neutralises formulas in an operator’s text, and writes a loss as a number', async () => {
  const who = await makeMain(api);
  const { userId } = who.session;
  const reason = `=cmd|' /C calc'!A0`;
  const cmdId = uuid7();
  const { rows } = await api.db.query<{ id: number }>("INSERT INTO manager (name) VALUES ('@root') RETURNING id");
  await api.app
    .get(EntityManager)
    .fork()
    .transactional(async (em) => {
      const managerId = rows[0]?.id ?? 0;
      const ledger = api.app.get(Ledger, { strict: false });
      await ledger.post(em, userId, { type: 'SYS_ADJUST', charChange: -5, refs: { managerId } }, { cmdId });
      await em.execute(
        'INSERT INTO manager_action (cmd_id, manager_id, user_id, family_id, reason) VALUES (?, ?, ?, ?, ?)',
        [cmdId, managerId, userId, userId, reason],
      );
    });
  await logAdjustment(api.db, { cmdId, userId });
  const [first] = await table(exportAccountLogs, {}, who);
  expect(first).toMatchObject({ 原因: `'${reason}`, 管理员: "'@root", 字符变动: '-5' });
});

describe('a rejected download', () => {
  it('is an envelope, sent before any byte of a file', async () => {
    const wrong = await get(exportAccountLogs, { createDateTimeBegin: 'yesterday' });
    expect([wrong.status, await wrong.json()]).toEqual([422, expect.objectContaining({ code: 'VALIDATION_FAILED' })]);
    const paged = await get(exportTranslationLogs, { pageNum: '1' });
    expect([paged.status, await paged.json()]).toEqual([422, expect.objectContaining({ code: 'UNKNOWN_FIELD' })]);
    const visitor = await fetch(`${api.url}${BASE_PATH}${exportLoginLogs.path}`);
    expect([visitor.status, await visitor.json()]).toEqual([401, expect.objectContaining({ code: 'UNAUTHORIZED' })]);
  });

  it('follows after more downloads than the limit', async () => {
    const narrow = await startApi({ LIMIT_EXPORTS_PER_MINUTE: '2' });
    const { session } = await makeMain(narrow);
    const ask = () => fetch(`${narrow.url}${BASE_PATH}${exportLoginLogs.path}`, { headers: headersOf(session) });
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    const third = await ask();
    expect([third.status, await third.json()]).toEqual([429, expect.objectContaining({ code: 'TOO_MANY_REQUESTS' })]);
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
    await narrow.stop();
  });
});

describe('a slow client', () => {
  /** An endless table with lines of 110 bytes. */
  const endless = async ({ session: { sk, userId } }: TestMember) => {
    const progress = { made: 0, ended: false };
    async function* pages(): AsyncGenerator<number[]> {
      try {
        for (;;) yield await Promise.resolve(Array.from({ length: 200 }, () => progress.made++));
      } finally {
        progress.ended = true;
      }
    }
    const file = await api.app.get(CsvDownloads).open({
      reader: { userId, sessionDigest: sha256(tokenOf(sk, userId, sha256)) },
      language: 'zh',
      name: 'endless',
      columns: [{ zh: '数', en: 'Number', value: (n) => `line ${n} ${'x'.repeat(100)}` }],
      pages: pages(),
    });
    return { progress, stream: file.response.getStream() as AsyncIterable<Buffer> };
  };

  it('applies backpressure, which limits how much is read, however long the table', async () => {
    const { progress, stream } = await endless(person);
    let bytes = 0;
    for await (const chunk of stream) {
      bytes += chunk.length;
      await sleep(1);
      // A page has 200 lines: the current one, and what the stream buffers (64 KiB).
      expect(progress.made * 110 - bytes).toBeLessThan(200_000);
      if (bytes > 3_000_000) break;
    }
    expect(progress.ended).toBe(true);
  });

  it('whose session ends gets no more, and no file that looks complete', async () => {
    const who = await makeMain(api);
    const { progress, stream } = await endless(who);
    let bytes = 0;
    const reading = async (): Promise<void> => {
      for await (const chunk of stream) {
        if (bytes === 0) await who.client.call(logout, {});
        bytes += chunk.length;
        if (bytes > 3_000_000) return;
      }
    };
    await expect(reading()).rejects.toThrow('the session of a download has ended');
    // Data that was in flight already.
    expect(bytes).toBeLessThan(200_000);
    expect(progress.ended).toBe(true);
  });

  it.each([['gzip'], ['identity']])('that disconnects stops the reading (%s)', async (encoding) => {
    const downloads = api.app.get(CsvDownloads);
    const open = downloads.open.bind(downloads);
    const progress = { pages: 0, ended: false };
    const server = api.app.getHttpServer();
    const closed = new Promise<void>((resolve) =>
      server.once('request', (_: unknown, response: ServerResponse) => response.once('close', resolve)),
    );
    // Network buffers could take the whole file, so its last pages are held back until the client has left.
    async function* held<Row>(pages: AsyncGenerator<Row[]>): AsyncGenerator<Row[]> {
      try {
        for await (const page of pages) {
          progress.pages += 1;
          yield page;
          if (progress.pages === HELD_AFTER) await closed;
        }
      } finally {
        progress.ended = true;
      }
    }
    jest
      .spyOn(downloads, 'open')
      .mockImplementationOnce((download) => open({ ...download, pages: held(download.pages) }));
    const leaving = new AbortController();
    const answer = await fetch(`${api.url}${BASE_PATH}${exportAccountLogs.path}`, {
      headers: { ...headersOf(person.session), 'Accept-Encoding': encoding },
      signal: leaving.signal,
    });
    await answer.body?.getReader().read();
    leaving.abort();
    await waitUntil(async () => Promise.resolve(progress.ended), Boolean);
    // The page that was being read when the client left.
    expect(progress.pages).toBeLessThanOrEqual(HELD_AFTER + 1);
  });
});
