/** Members see little of what goes wrong at a vendor, and never pay for it: several accounts, over HTTP, at the sandbox. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { changeChannel, listMapping } from '@yiqiao/contracts/plans';
import {
  listChannels,
  listChannelStatus,
  listLanguages,
  listTranslationLogs,
  listTranslationPairs,
  translateText,
} from '@yiqiao/contracts/translation';
import { changeFailover, getUser } from '@yiqiao/contracts/user';
import { CHANNELS } from '@yiqiao/domain/channels';
import { auditLedger } from '../src/ledger/audit/audit.js';
import type { VendorAccount } from '../src/translation/channels/account.js';
import { Traffic } from '../src/translation/routing/traffic.js';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { makeMain, setChars } from './support/family.js';
import type { Person } from './support/people.js';
import { breakVendor, callsOf, mendVendor, sandboxAccount, type VendorFault } from './support/sandbox-vendors.js';
import { translateMany, translateOne } from './support/translate.js';
import { until } from './support/until.js';
import { upstreamsFile } from './support/upstreams-file.js';

const [google, google2] = [sandboxAccount('google', 'dead'), sandboxAccount('google', 'alive')];
const [microsoft, microsoft2] = [sandboxAccount('microsoft', 'key'), sandboxAccount('microsoft', 'good')];
const tencent = sandboxAccount('tencent', 'slow', { requestsPerSecond: 5 });
const [youdao, youdao2] = [sandboxAccount('youdao', 'hurried'), sandboxAccount('youdao', 'calm')];
const deepl = sandboxAccount('deepl', 'only');
const chatgpt = sandboxAccount('chatgpt', 'only');
const libretranslate = sandboxAccount('libretranslate', 'only');
const accounts = [google, google2, microsoft, microsoft2, tencent, youdao, youdao2, deepl, chatgpt, libretranslate];

const FRENCH = { source: 'en', target: 'fr' } as const;
const FREE_AND_CLEAN = { usableCharNum: 1_000, usedCharTotal: 0 };

let api: TestApi;
let file: Awaited<ReturnType<typeof upstreamsFile>>;
let texts = 0;

beforeAll(async () => {
  file = await upstreamsFile(accounts);
  api = await startApi({
    TRANSLATION_UPSTREAMS_FILE: file.file,
    LIMIT_TRANSLATION_PER_SECOND: '10000',
    LIMIT_CHANNEL_CHANGES_PER_HOUR: '10000',
  });
});
afterAll(async () => {
  await api.stop();
  await Promise.all(accounts.map(mendVendor));
  await file.remove();
});

/** A text that nobody has asked for before: equal ones would share a call. */
const freshText = (): string => `The ship number ${++texts} leaves the harbour`;

/** A main account with 1,000 characters of the channel. */
const memberOn = async (code: keyof typeof CHANNELS): Promise<Person> => {
  const main = await makeMain(api);
  if (code !== 'offline') await main.client.call(changeChannel, { targetChannelId: CHANNELS[code].id });
  await setChars(api, main.session.userId, 1_000);
  return main;
};
const accountOf = async ({ client }: Person) => (await client.call(getUser, {})).memberAccount;
const timesAsked = async (account: VendorAccount): Promise<number> => (await callsOf(account)).count;
const broken = async (account: VendorAccount, fault: VendorFault, work: () => Promise<void>): Promise<void> => {
  await breakVendor(account, fault);
  await work().finally(() => mendVendor(account));
};

/** Nothing was paid, nothing stays held, and the log says that it failed. */
async function expectFree(main: Person, failed: number): Promise<void> {
  expect(await accountOf(main)).toMatchObject(FREE_AND_CLEAN);
  const held = await api.db.query('SELECT 1 FROM ledger_hold WHERE user_id = $1 AND released_at IS NULL', [
    main.session.userId,
  ]);
  expect(held.rowCount).toBe(0);
  expect((await main.client.call(listAccountLogs, { logType: 'TRANSLATION_CONSUME' })).total).toBe(0);
  const { rows } = await main.client.call(listTranslationLogs, {});
  expect(rows.map(({ status, charged }) => [status, charged])).toEqual(
    Array.from({ length: failed }, () => ['failed', 0]),
  );
  expect((await auditLedger(api.db, {})).difference).toBeNull();
}

describe('of two accounts', () => {
  it('one is dead: no member notices, and it is soon not asked any more', async () => {
    const main = await memberOn('google');
    await setChars(api, main.session.userId, 100_000);
    await broken(google, { kind: 'error' }, async () => {
      for (let i = 0; i < 30; i++) {
        const answer = await translateOne(main.client, { ...FRENCH, text: freshText() });
        expect(answer).toMatchObject({ channelId: CHANNELS.google.id, warning: null });
      }
      // Five times until it is given up; a slow machine leaves it time to be tried again.
      expect(await timesAsked(google)).toBeLessThan(10);
      expect(await timesAsked(google2)).toBe(30);
    });
  });

  it('one is dead while a crowd comes: nobody notices either', async () => {
    const main = await memberOn('google');
    await setChars(api, main.session.userId, 100_000);
    await broken(google, { kind: 'drop' }, async () => {
      const crowd = Array.from({ length: 60 }, () => translateOne(main.client, { ...FRENCH, text: freshText() }));
      for (const answer of await Promise.all(crowd)) expect(answer.warning).toBeNull();
    });
  });

  it('one hangs: the other one serves, well within the time', async () => {
    const main = await memberOn('microsoft');
    // Whichever is asked first, the second request meets the one that hangs.
    await broken(microsoft, { kind: 'hang' }, async () => {
      const answers = Promise.all([1, 2].map(() => translateOne(main.client, { ...FRENCH, text: freshText() })));
      for (const answer of await answers) expect(answer.channelId).toBe(CHANNELS.microsoft.id);
      expect(await timesAsked(microsoft)).toBe(1);
    });
  });

  it('one has lost its key: the other one serves, and it is not asked again', async () => {
    const main = await memberOn('microsoft');
    const before = await timesAsked(microsoft);
    await broken(microsoft, { kind: 'auth' }, async () => {
      for (let i = 0; i < 10; i++) await translateOne(main.client, { ...FRENCH, text: freshText() });
      expect((await timesAsked(microsoft)) - before).toBe(1);
      expect(await timesAsked(microsoft2)).toBeGreaterThanOrEqual(10);
    });
  });

  it('one is asked too often: the other one serves, and it is left alone for the time it wants', async () => {
    const main = await memberOn('youdao');
    await broken(youdao, { kind: 'rate' }, async () => {
      for (let i = 0; i < 8; i++) await translateOne(main.client, { ...FRENCH, text: freshText() });
      // A second of rest after each: on a slow machine it is asked again, but not by every request.
      expect(await timesAsked(youdao)).toBeLessThan(5);
    });
  });

  it.each(['empty', 'malformed', 'count', 'echo', 'script', 'cut'] as const)(
    'one answers what is no translation (%s): the other one serves',
    async (kind) => {
      const main = await memberOn('youdao');
      await broken(youdao, { kind, times: 1 }, async () => {
        for (let i = 0; i < 2; i++) {
          const text = freshText();
          const { translated } = await translateOne(main.client, { ...FRENCH, text });
          expect(translated).not.toBe(text);
          expect(translated).toContain(String(texts));
        }
      });
    },
  );
});

describe('when all fail', () => {
  it.each([
    ['error', 502, 'UPSTREAM_FAILED'],
    ['auth', 502, 'UPSTREAM_FAILED'],
  ] as const)('with %s: %i, and it costs nothing', async (kind, status, code) => {
    const main = await memberOn('deepl');
    await broken(deepl, { kind }, async () => {
      expect(await main.client.send(translateText, { ...FRENCH, text: freshText() })).toMatchObject({
        status,
        body: { success: false, code, data: null },
      });
      await expectFree(main, 1);
    });
  });

  it.each(['echo', 'script', 'empty'] as const)(
    'by what is no translation (%s): 502 that says so, free',
    async (kind) => {
      const main = await memberOn('chatgpt');
      await broken(chatgpt, { kind }, async () => {
        expect(await main.client.send(translateText, { ...FRENCH, text: freshText() })).toMatchObject({
          status: 502,
          body: { success: false, code: 'NOT_TRANSLATED', msg: expect.stringMatching(/没有给出有效译文，本次未扣费/) },
        });
        await expectFree(main, 1);
      });
    },
  );

  it('by a content policy: 422 with what to do about it, and it costs nothing', async () => {
    const main = await memberOn('chatgpt');
    await broken(chatgpt, { kind: 'block' }, async () => {
      expect(await main.client.send(translateText, { ...FRENCH, text: freshText() })).toMatchObject({
        status: 422,
        body: { success: false, code: 'CONTENT_REFUSED', msg: expect.stringMatching(/内容政策.*未扣费/) },
      });
      await expectFree(main, 1);
      const { items } = await translateMany(main.client, { ...FRENCH, text: [freshText()] });
      expect(items).toMatchObject([{ success: false, charged: 0, code: 'CONTENT_REFUSED' }]);
    });
  });

  it('by hanging: 504 within the 15 seconds, and it costs nothing', async () => {
    const main = await memberOn('chatgpt');
    await broken(chatgpt, { kind: 'hang' }, async () => {
      expect(await main.client.send(translateText, { ...FRENCH, text: freshText() })).toMatchObject({
        status: 504,
        body: { success: false, code: 'UPSTREAM_TIMEOUT', data: null },
      });
      await expectFree(main, 1);
    });
  });
});

describe('one account alone', () => {
  it('that stumbles is asked again, and the member sees nothing of it', async () => {
    const main = await memberOn('libretranslate');
    await broken(libretranslate, { kind: 'error', times: 2 }, async () => {
      const before = await timesAsked(libretranslate);
      await translateOne(main.client, { ...FRENCH, text: freshText() });
      expect((await timesAsked(libretranslate)) - before).toBe(3);
    });
  });

  it('is left alone after it has failed enough, tried by one request after a while, and serves again', async () => {
    const main = await memberOn('libretranslate');
    const ask = () => main.client.send(translateText, { ...FRENCH, text: freshText() });
    await broken(libretranslate, { kind: 'error' }, async () => {
      const before = await timesAsked(libretranslate);
      // A crowd fails five times together; what is left of it waits until one of it may try, in vain.
      const crowd = await Promise.all(Array.from({ length: 6 }, ask));
      expect(crowd.map(({ status }) => status)).toEqual(crowd.map(() => 502));
      expect((await timesAsked(libretranslate)) - before).toBeLessThan(6 * 3);
    });
    // Given up, but not for long: the member waits a little, or asks again.
    const { status } = await until(ask, (reply) => reply.status === 200);
    expect(status).toBe(200);
    expect((await main.client.call(listTranslationLogs, { pageSize: '1' })).rows[0]).toMatchObject({ status: 'ok' });
  }, 40_000);

  it('that takes five requests a second makes members wait instead of refusing them', async () => {
    const main = await memberOn('tencent');
    const begun = performance.now();
    const crowd = Array.from({ length: 12 }, () => translateOne(main.client, { ...FRENCH, text: freshText() }));
    for (const { channelId } of await Promise.all(crowd)) expect(channelId).toBe(CHANNELS.tencent.id);
    // Five at once, five a second later, two a second after that.
    expect(performance.now() - begun).toBeGreaterThan(2_000);
    expect(await callsOf(tencent)).toMatchObject({ count: 12, refused: 0 });
  });
});

describe('two accounts', () => {
  it('that stumble once each are asked again, and the member sees nothing of it', async () => {
    const main = await memberOn('youdao');
    await broken(youdao, { kind: 'error', times: 1 }, () =>
      broken(youdao2, { kind: 'error', times: 1 }, async () => {
        const answer = await translateOne(main.client, { ...FRENCH, text: freshText() });
        expect(answer.channelId).toBe(CHANNELS.youdao.id);
      }),
    );
  });

  it('that call a crowd too fast make it wait instead of refusing it', async () => {
    const main = await memberOn('youdao');
    await setChars(api, main.session.userId, 100_000);
    await broken(youdao, { kind: 'rate', times: 2 }, () =>
      broken(youdao2, { kind: 'rate', times: 2 }, async () => {
        const crowd = Array.from({ length: 20 }, () => translateOne(main.client, { ...FRENCH, text: freshText() }));
        for (const { channelId } of await Promise.all(crowd)) expect(channelId).toBe(CHANNELS.youdao.id);
      }),
    );
  });
});

describe('another channel', () => {
  const ask = (more: object = {}) => ({ ...FRENCH, text: freshText(), channelId: CHANNELS.deepl.id, ...more });

  it('serves only when the member allows it, and at the price of the one that served', async () => {
    const main = await memberOn('offline');
    await broken(deepl, { kind: 'error' }, async () => {
      expect((await main.client.send(translateText, ask())).status).toBe(502);
      await main.client.call(changeFailover, { channelFailover: 1 });
      expect((await main.client.send(translateText, ask({ failover: false }))).status).toBe(502);
      await expectFree(main, 2);
      const text = freshText();
      const answer = await translateOne(main.client, ask({ text }));
      const served = Object.values(CHANNELS).find(({ id }) => id === answer.channelId);
      expect(served?.price).toBeLessThanOrEqual(CHANNELS.deepl.price);
      const cost = Math.ceil((text.length * (served?.price ?? 0)) / CHANNELS.offline.price);
      expect(answer.charged).toBe(cost);
      expect(answer.warning).toContain(served?.name);
      expect(await accountOf(main)).toMatchObject({ usableCharNum: 1_000 - cost });
    });
  });

  it('does not serve in place of one that is cheaper', async () => {
    const main = await memberOn('offline');
    await main.client.call(changeFailover, { channelFailover: 1 });
    await broken(tencent, { kind: 'auth' }, async () => {
      await broken(youdao, { kind: 'auth' }, () =>
        broken(youdao2, { kind: 'auth' }, () =>
          broken(libretranslate, { kind: 'auth' }, async () => {
            const reply = await main.client.send(translateText, ask({ channelId: CHANNELS.tencent.id, target: 'de' }));
            expect(reply.status).toBe(502);
            await expectFree(main, 1);
          }),
        ),
      );
    });
  });
});

describe('equal requests at the same time', () => {
  it('of one family share one call, and each pays', async () => {
    const main = await memberOn('chatgpt');
    const stranger = await memberOn('chatgpt');
    const text = freshText();
    await broken(chatgpt, { kind: 'delay', ms: 3_000 }, async () => {
      const before = await timesAsked(chatgpt);
      const asked = [1, 2, 3, 4].map(() => translateOne(main.client, { ...FRENCH, text }));
      const batch = translateMany(main.client, { ...FRENCH, text: [text, text] });
      const other = translateOne(stranger.client, { ...FRENCH, text });
      const answers = await Promise.all([...asked, other]);
      expect(new Set(answers.map(({ translated }) => translated)).size).toBe(1);
      for (const { charged } of answers) expect(charged).toBe(text.length);
      expect((await batch).items.map(({ charged }) => charged)).toEqual([text.length, text.length]);
      // One for the family, one for the stranger.
      expect((await timesAsked(chatgpt)) - before).toBe(2);
      expect(await accountOf(main)).toMatchObject({ usableCharNum: 1_000 - 6 * text.length });
    });
  });
});

describe('what is told of channels', () => {
  it('marks those that speak to the sandbox, wherever the price list goes out', async () => {
    const main = await memberOn('offline');
    const list = await main.client.call(listChannels, {});
    expect(list.find(({ id }) => id === CHANNELS.google.id)).toMatchObject({
      name: '谷歌翻译（沙箱）',
      enName: 'Google (sandbox)',
      available: true,
      reason: null,
    });
    expect(list.find(({ id }) => id === CHANNELS.offline.id)?.name).toBe('离线引擎');
    const mapping = await main.client.call(listMapping, {});
    expect(mapping.find(({ id }) => id === CHANNELS.deepl.id)?.name).toBe('DeepL（沙箱）');
    expect(await main.client.call(changeChannel, { targetChannelId: CHANNELS.youdao.id })).toMatchObject({
      enName: 'Youdao (sandbox)',
    });
  });

  it('marks one that is switched off, too', async () => {
    const enabled = (on: boolean) => api.db.query('UPDATE tran_channel SET enabled = $1 WHERE id = 6', [on]);
    const listed = async () => (await new TestClient(api.url).call(listChannels, {})).find(({ id }) => id === 6);
    await enabled(false);
    const off = await until(listed, (one) => one?.available === false);
    await enabled(true);
    await until(listed, (one) => one?.available === true);
    expect(off).toMatchObject({ name: 'DeepL（沙箱）', enName: 'DeepL (sandbox)', reason: '该通道已停用' });
  });

  it('lists the directions of those that have few, and the languages of all', async () => {
    const visitor = new TestClient(api.url);
    const pairs = await visitor.call(listTranslationPairs, {});
    expect(new Set(pairs.map(({ channelId }) => channelId))).toEqual(
      new Set([CHANNELS.offline.id, CHANNELS.tencent.id]),
    );
    expect(JSON.stringify(pairs).length).toBeLessThan(100_000);
    const { sourceList, targetList } = await visitor.call(listLanguages, {});
    for (const list of [sourceList, targetList])
      expect(list.find(({ langCode }) => langCode === 'fr')?.channels).toContain(CHANNELS.google.id);
  });

  it('says how each did with real requests, and survives a restart of what counted them', async () => {
    const main = await memberOn('offline');
    const status = await main.client.call(listChannelStatus, {});
    const of = (code: keyof typeof CHANNELS) => status.find(({ id }) => id === CHANNELS[code].id);
    expect(of('google')?.requests).toBeGreaterThanOrEqual(90);
    expect(of('google')?.successShare).toBe(1);
    expect(of('google')?.medianMs).toBeGreaterThan(0);
    expect(of('google')?.p95Ms).toBeGreaterThanOrEqual(of('google')?.medianMs ?? 0);
    expect(of('tencent')?.medianMs).toBeGreaterThan(500);
    expect(of('libretranslate')?.successShare).toBeLessThan(1);
    expect(of('offline')).toEqual({ id: 1, requests: 0, successShare: null, medianMs: null, p95Ms: null });
    await api.app.get(Traffic, { strict: false }).flush();
    expect(await main.client.call(listChannelStatus, {})).toEqual(status);
    expect((await new TestClient(api.url).send(listChannelStatus, {})).status).toBe(401);
  });
});
