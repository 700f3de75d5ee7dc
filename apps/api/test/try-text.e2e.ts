/** A visitor's sentence on the home page: channels, prices, limits, and that nothing of it stays (docs/decisions/0051). */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tryText } from '@yiqiao/contracts/translation';
import { CHANNELS } from '@yiqiao/domain/channels';
import { TRY_MS } from '@yiqiao/domain/limits';
import { Redis } from 'ioredis';
import { loadConfig } from '../src/platform/config.js';
import { siteData } from '../src/site-data.js';
import type { TextChannel } from '../src/translation/channels/channel.js';
import { TextChannels } from '../src/translation/text-channels.js';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { spawnApi } from './support/process.js';
import { sandboxAccount } from './support/sandbox-vendors.js';
import { upstreamsFile } from './support/vendor-environment.js';
import { broken, timesAsked } from './support/vendor-fixture.js';

const google = sandboxAccount('google', 'try');
const deepl = sandboxAccount('deepl', 'try');
const { offline, microsoft } = CHANNELS;

const GENEROUS = { TRY_PER_ADDRESS: '10000', TRY_PER_DAY: '10000', TRUSTED_PROXIES: '127.0.0.1' };
const TO_HANT = { source: 'zh-Hans', target: 'zh-Hant' };
const TO_FRENCH = { source: 'en', target: 'fr' };

let texts = 0;
/** A new sentence, which no answer is remembered for. */
const fresh = (): string => `The parcel number ${++texts} is on its way`;

let file: Awaited<ReturnType<typeof upstreamsFile>>;
/** Only the offline engine is allowed; two vendors are open to members. */
let api: TestApi;
/** Visitors may also use Google and DeepL. */
let open: TestApi;

const from = (url: string, ip = '203.0.113.1'): TestClient =>
  new TestClient(url, null, { 'X-Forwarded-For': ip, 'Accept-Language': 'en' });
const visitor = (of: TestApi, ip?: string): TestClient => from(of.url, ip);

const rowOf = async (of: TestApi, channelId: number, input: { source: string; target: string; text: string }) => {
  const { channels } = await visitor(of).call(tryText, input);
  return channels.find((row) => row.channelId === channelId);
};

beforeAll(async () => {
  file = await upstreamsFile([google, deepl]);
  const vendors = { TRANSLATION_UPSTREAMS_FILE: file.file };
  api = await startApi({ ...vendors, ...GENEROUS });
  open = await startApi({ ...vendors, ...GENEROUS, TRY_CHANNELS: 'offline, google, deepl' });
});
afterAll(async () => {
  await Promise.all([api.stop(), open.stop()]);
  await file.remove();
});

describe('with the offline engine alone', () => {
  it('translates, and shows what every channel would cost', async () => {
    const text = '头发很长，洗完要吹干'; // 10 code points
    const { source, target, channels } = await visitor(api).call(tryText, { ...TO_HANT, text });
    expect([source, target, channels.length]).toEqual(['zh-Hans', 'zh-Hant', Object.keys(CHANNELS).length]);
    expect(channels[0]).toEqual({
      channelId: offline.id,
      name: offline.name,
      enName: offline.enName,
      state: 'answered',
      translated: '頭髮很長，洗完要吹乾',
      quality: 'translation',
      warning: null,
      charNum: 10,
      microYuan: 10 * offline.price,
    });
    const none = { translated: null, quality: null, warning: null };
    expect(channels.find(({ channelId }) => channelId === CHANNELS.google.id)).toMatchObject({
      ...none,
      state: 'signIn',
      charNum: 10,
      microYuan: 10 * CHANNELS.google.price,
    });
    expect(channels.find(({ channelId }) => channelId === microsoft.id)).toMatchObject({
      ...none,
      state: 'unavailable',
      charNum: 10,
    });
    expect(await timesAsked(google)).toBe(0);
  });

  it('prices a dearer channel in characters of a new account, as members are charged', async () => {
    expect(await rowOf(api, CHANNELS.deepl.id, { ...TO_FRENCH, text: '0123456789' })).toMatchObject({
      state: 'signIn',
      charNum: 20,
      microYuan: 10 * CHANNELS.deepl.price,
    });
  });

  it('marks a gloss and gives it for free', async () => {
    const glossing: TextChannel = {
      availability: () => Promise.resolve({ available: true, reason: null }),
      supports: () => Promise.resolve('gloss'),
      languages: () => Promise.resolve({ sources: new Set(), targets: new Set(), auto: false }),
      translate: () =>
        Promise.resolve([{ translated: 'word word', quality: 'gloss', warning: { code: 'GLOSS' }, detected: null }]),
      close: () => Promise.resolve(),
    };
    const other = await startApi({ ...GENEROUS });
    await other.app.get(TextChannels).open('offline', glossing);
    const row = await rowOf(other, offline.id, { source: 'zh-Hans', target: 'en', text: '单词' });
    expect(row).toMatchObject({ state: 'answered', quality: 'gloss', charNum: 0, microYuan: 0 });
    expect(row?.warning).toContain('word-by-word');
    await other.stop();
  });

  it('says which pairs a channel cannot translate', async () => {
    expect(await rowOf(api, offline.id, { source: 'ja', target: 'sw', text: '何' })).toMatchObject({
      state: 'unsupported',
      translated: null,
      charNum: null,
      microYuan: null,
    });
  });
});

describe('input', () => {
  it.each([
    ['201 characters', { ...TO_HANT, text: '字'.repeat(201) }, 'TOO_LONG'],
    ['no text', { ...TO_HANT }, 'TEXT_REQUIRED'],
    ['an empty text', { ...TO_HANT, text: '' }, 'TEXT_REQUIRED'],
    ['several texts', { ...TO_HANT, text: ['a', 'b'] }, 'WRONG_TYPE'],
    ['half a character', { ...TO_HANT, text: 'a\ud800' }, 'UNSAFE_TEXT'],
    ['an unknown language', { source: 'xx', target: 'en', text: 'a' }, 'LANGUAGE_UNKNOWN'],
    ['a source to be detected', { source: 'auto', target: 'en', text: 'a' }, 'LANGUAGE_UNKNOWN'],
    ['a channel', { ...TO_HANT, text: 'a', channelId: 7 }, 'UNKNOWN_FIELD'],
  ])('refuses %s', async (_, input, code) => {
    const { status, body } = await visitor(api).send(tryText, input);
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain(code);
  });

  it('refuses a text without a visible character, and one language for both sides', async () => {
    const codeOf = async (input: unknown) => (await visitor(api).send(tryText, input)).body;
    expect(await codeOf({ ...TO_HANT, text: ' \u200b\n' })).toMatchObject({ success: false, code: 'TEXT_EMPTY' });
    expect(await codeOf({ source: 'en', target: 'en', text: 'a' })).toMatchObject({ code: 'SAME_LANGUAGE' });
  });

  it('counts characters, not UTF-16 units, and knows other names of languages', async () => {
    const { body } = await visitor(api).send(tryText, { source: 'zh-CN', target: 'zh-TW', text: '𠮷'.repeat(200) });
    expect(body).toMatchObject({ success: true, data: { source: 'zh-Hans', target: 'zh-Hant' } });
  });
});

describe('with vendors allowed', () => {
  it('answers through each of them side by side', async () => {
    const { channels } = await visitor(open).call(tryText, { source: 'zh-Hans', target: 'en', text: '你好' });
    expect(channels.slice(0, 3).map(({ channelId, state }) => [channelId, state])).toEqual([
      [offline.id, 'answered'],
      [CHANNELS.google.id, 'answered'],
      [CHANNELS.deepl.id, 'answered'],
    ]);
    expect(channels[1]?.enName).toContain('(sandbox)');
  });

  it('asks a channel once for the same sentence', async () => {
    const input = { ...TO_FRENCH, text: fresh() };
    const before = await timesAsked(google);
    const answers = await Promise.all([1, 2, 3].map(() => rowOf(open, CHANNELS.google.id, input)));
    answers.push(await rowOf(open, CHANNELS.google.id, input));
    expect(new Set(answers.map((row) => row?.translated)).size).toBe(1);
    expect(answers[0]?.state).toBe('answered');
    expect((await timesAsked(google)) - before).toBe(1);
    await rowOf(open, CHANNELS.google.id, { ...input, target: 'de' });
    expect((await timesAsked(google)) - before).toBe(2);
  });

  it('answers through the others when one fails, and does not remember the failure', async () => {
    const input = { ...TO_FRENCH, text: fresh() };
    await broken(google, { kind: 'error' }, async () => {
      const { channels } = await visitor(open).call(tryText, input);
      expect(channels.slice(1, 3).map(({ state, translated }) => [state, translated !== null])).toEqual([
        ['failed', false],
        ['answered', true],
      ]);
    });
    const later = { ...input, text: fresh() };
    await broken(deepl, { kind: 'block', times: 1 }, async () => {
      expect((await rowOf(open, CHANNELS.deepl.id, later))?.state).toBe('failed');
      expect((await rowOf(open, CHANNELS.deepl.id, later))?.state).toBe('answered');
    });
  });

  it('waits for a channel no longer than the limit', async () => {
    await broken(deepl, { kind: 'hang' }, async () => {
      const begun = Date.now();
      expect((await rowOf(open, CHANNELS.deepl.id, { ...TO_FRENCH, text: fresh() }))?.state).toBe('failed');
      expect(Date.now() - begun).toBeLessThan(TRY_MS + 4_000);
    });
  });
});

describe('limits', () => {
  const withLimits = (limits: Record<string, string>): Promise<TestApi> =>
    startApi({ TRUSTED_PROXIES: '127.0.0.1', ...limits });
  const tries = async (of: TestApi, ip: string, text: string) => visitor(of, ip).send(tryText, { ...TO_HANT, text });

  it('allows an address so many an hour, remembered answers included', async () => {
    const limited = await withLimits({ TRY_PER_ADDRESS: '3' });
    for (let n = 0; n < 3; n++) expect((await tries(limited, '203.0.113.7', '头发')).status).toBe(200);
    const { status, body, headers } = await tries(limited, '203.0.113.7', '头发');
    expect([status, body]).toEqual([429, expect.objectContaining({ success: false, code: 'TOO_MANY_REQUESTS' })]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(3_000);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3_600);
    expect((await tries(limited, '203.0.113.8', '头发')).status).toBe(200);
    // One IPv6 network is one address.
    for (let n = 0; n < 3; n++) expect((await tries(limited, `2001:db8::${n + 1}`, '头发')).status).toBe(200);
    expect((await tries(limited, '2001:db8::9', '头发')).status).toBe(429);
    await limited.stop();
  });

  const vendors = () => ({ TRANSLATION_UPSTREAMS_FILE: file.file, TRY_CHANNELS: 'offline,google', TRY_PER_DAY: '2' });

  it('allows everybody together so many a day; remembered answers are free', async () => {
    const limited = await withLimits(vendors());
    expect((await tries(limited, '203.0.113.1', '一')).status).toBe(200);
    for (let n = 0; n < 4; n++) expect((await tries(limited, `203.0.113.${n + 2}`, '一')).status).toBe(200);
    expect((await tries(limited, '203.0.113.20', '二')).status).toBe(200);
    const { status, headers } = await tries(limited, '203.0.113.21', '三');
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(80_000);
    expect((await tries(limited, '203.0.113.22', '二')).status).toBe(200);
    await limited.stop();
  });

  it('does not spend the day on the offline engine, nor on vendors that are not asked', async () => {
    const ask = async (of: TestApi, n: number, input: { source: string; target: string }): Promise<number> =>
      (await visitor(of, `203.0.113.${n}`).send(tryText, { ...input, text: fresh() })).status;
    const offlineOnly = await withLimits({ TRY_PER_DAY: '1' });
    for (let n = 1; n < 4; n++) expect(await ask(offlineOnly, n, TO_HANT)).toBe(200);
    await offlineOnly.stop();
    // Microsoft is not connected here.
    const unavailable = await withLimits({ ...vendors(), TRY_CHANNELS: 'offline,microsoft', TRY_PER_DAY: '1' });
    for (let n = 1; n < 4; n++) expect(await ask(unavailable, n, TO_FRENCH)).toBe(200);
    await unavailable.stop();
    const unsupported = await withLimits({ ...vendors(), TRY_CHANNELS: 'deepl', TRY_PER_DAY: '1' });
    for (let n = 1; n < 4; n++) expect(await ask(unsupported, n, TO_HANT)).toBe(200);
    expect(await ask(unsupported, 4, TO_FRENCH)).toBe(200);
    expect(await ask(unsupported, 5, TO_FRENCH)).toBe(429);
    await unsupported.stop();
  });

  it('answers nobody with TRY_CHANNELS=none', async () => {
    const off = await withLimits({ TRY_CHANNELS: 'none' });
    const { status, body } = await tries(off, '203.0.113.1', '头发');
    expect([status, body]).toEqual([404, expect.objectContaining({ success: false, code: 'NOT_FOUND' })]);
    expect((await siteData(off.app)()).noTry).toBe(true);
    await off.stop();
  });

  it('does not count what is refused', async () => {
    const limited = await withLimits({ TRY_PER_ADDRESS: '1' });
    for (let n = 0; n < 3; n++) expect((await tries(limited, '203.0.113.1', '')).status).toBe(422);
    expect((await tries(limited, '203.0.113.1', '头发')).status).toBe(200);
    await limited.stop();
  });

  it.each(['nobody', 'offline,nobody', 'offline,none', ','])(
    'are refused at the start with TRY_CHANNELS=%s',
    (value) => {
      expect(() => loadConfig({ ...api.env, TRY_CHANNELS: value })).toThrow('TRY_CHANNELS: some of offline');
    },
  );
});

describe('what stays', () => {
  const secret = `parcel ${randomBytes(8).toString('hex')}`;

  const rowCounts = async (): Promise<Record<string, number>> => {
    const { rows: tables } = await open.db.query<{ name: string }>(
      `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
    );
    const counts = tables.map(async ({ name }) => {
      const { rows } = await open.db.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${name}`);
      return [name, rows[0]?.n ?? -1] as const;
    });
    return Object.fromEntries(await Promise.all(counts));
  };

  it('is no row in any table', async () => {
    const before = await rowCounts();
    expect(Object.keys(before).length).toBeGreaterThan(20);
    expect((await rowOf(open, CHANNELS.google.id, { ...TO_FRENCH, text: secret }))?.state).toBe('answered');
    await broken(google, { kind: 'error' }, async () => {
      await visitor(open).call(tryText, { ...TO_FRENCH, text: fresh() });
    });
    expect(await rowCounts()).toEqual(before);
  });

  it('is no text in Redis', async () => {
    await visitor(open).call(tryText, { ...TO_FRENCH, text: secret });
    const redis = new Redis(open.env['REDIS_URL'] ?? '');
    const keys = await redis.keys(`${open.env['REDIS_PREFIX']}:*`);
    const dumps = await Promise.all(keys.map((key) => redis.dumpBuffer(key)));
    await redis.quit();
    expect(keys.some((key) => key.includes(':limit:tries:'))).toBe(true);
    expect(
      [...keys, ...dumps.map((dump) => dump?.toString('latin1') ?? '')].filter((of) => of.includes(secret)),
    ).toEqual([]);
  });

  it('is no text in the log, at any level', async () => {
    const logged = await spawnApi(open.env, { LOG_LEVEL: 'debug' });
    const ask = (input: unknown) => from(logged.url).send(tryText, input);
    expect((await ask({ ...TO_FRENCH, text: secret })).status).toBe(200);
    expect((await ask({ source: 'en', target: 'en', text: secret })).status).toBe(422);
    await broken(google, { kind: 'error' }, async () => {
      expect((await ask({ ...TO_FRENCH, text: `${secret} again` })).status).toBe(200);
    });
    const { log, stop } = logged;
    await stop();
    expect(log()).toContain('"level"');
    expect(log()).not.toContain(secret);
  });
});
