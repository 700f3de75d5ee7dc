/** Members notice little of a vendor's failures, and never pay for them: several accounts, over HTTP at the sandbox. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { listChannelStatus } from '@yiqiao/contracts/channel-traffic';
import { listTranslationLogs, translateText } from '@yiqiao/contracts/translation';
import { CHANNELS } from '@yiqiao/domain/channels';
import { Traffic } from '../src/translation/routing/traffic.js';
import { TestClient } from './support/client.js';
import { setChars } from './support/family.js';
import { callsOf, sandboxAccount } from './support/sandbox-vendors.js';
import { translateOne } from './support/translate.js';
import { waitUntil } from './support/wait-until.js';
import {
  accountOf,
  broken,
  FRENCH,
  freshText,
  timesAsked,
  type VendorFixture,
  vendorFixture,
} from './support/vendor-fixture.js';

const [google, google2] = [sandboxAccount('google', 'dead'), sandboxAccount('google', 'alive')];
const [microsoft, microsoft2] = [sandboxAccount('microsoft', 'key'), sandboxAccount('microsoft', 'good')];
const tencent = sandboxAccount('tencent', 'slow', { requestsPerSecond: 5 });
const [youdao, youdao2] = [sandboxAccount('youdao', 'hurried'), sandboxAccount('youdao', 'calm')];
const deepl = sandboxAccount('deepl', 'rare', { requestsPerSecond: 0.2 });
const libretranslate = sandboxAccount('libretranslate', 'only');
const accounts = [google, google2, microsoft, microsoft2, tencent, youdao, youdao2, deepl, libretranslate];

let fixture: VendorFixture;
beforeAll(async () => {
  fixture = await vendorFixture(accounts);
});
afterAll(() => fixture.close());

const memberOn: VendorFixture['memberOn'] = (code) => fixture.memberOn(code);

describe('two accounts, one of which', () => {
  it('is dead: no member notices, and it is soon skipped', async () => {
    const main = await memberOn('google');
    await setChars(fixture.api, main.session.userId, 100_000);
    await broken(google, { kind: 'error' }, async () => {
      for (let i = 0; i < 30; i++) {
        const answer = await translateOne(main.client, { ...FRENCH, text: freshText() });
        expect(answer).toMatchObject({ channelId: CHANNELS.google.id, warning: null });
      }
      // Five failures open the breaker; a slow machine leaves it time for a probe.
      expect(await timesAsked(google)).toBeLessThan(10);
      expect(await timesAsked(google2)).toBe(30);
    });
  });

  it('is dead in a burst of requests: no member notices', async () => {
    const main = await memberOn('google');
    await setChars(fixture.api, main.session.userId, 100_000);
    await broken(google, { kind: 'drop' }, async () => {
      const crowd = Array.from({ length: 60 }, () => translateOne(main.client, { ...FRENCH, text: freshText() }));
      for (const answer of await Promise.all(crowd)) expect(answer.warning).toBeNull();
    });
  });

  it('is slow: the other is called in parallel, the member is charged once, and neither breaker opens', async () => {
    const main = await memberOn('microsoft');
    const before = [await timesAsked(microsoft), await timesAsked(microsoft2)];
    // Whichever is called first, both need more than half of their time.
    await broken(microsoft, { kind: 'delay', ms: 7_000 }, () =>
      broken(microsoft2, { kind: 'delay', ms: 7_000 }, async () => {
        const text = freshText();
        const answer = await translateOne(main.client, { ...FRENCH, text });
        expect(answer).toMatchObject({ channelId: CHANNELS.microsoft.id, charged: text.length, warning: null });
        expect(await accountOf(main)).toMatchObject({ usableCharNum: 1_000 - text.length });
        expect((await main.client.call(listAccountLogs, { logType: 'TRANSLATION_CONSUME' })).total).toBe(1);
        expect([await timesAsked(microsoft), await timesAsked(microsoft2)]).toEqual(before.map((times) => times + 1));
      }),
    );
  });

  it('hangs: the other serves, well within the time limit', async () => {
    const main = await memberOn('microsoft');
    // Whichever is called first, the second request meets the hanging one.
    await broken(microsoft, { kind: 'hang' }, async () => {
      const before = await timesAsked(microsoft);
      const answers = Promise.all([1, 2].map(() => translateOne(main.client, { ...FRENCH, text: freshText() })));
      for (const answer of await answers) expect(answer.channelId).toBe(CHANNELS.microsoft.id);
      expect((await timesAsked(microsoft)) - before).toBe(1);
    });
  });

  it('has an invalid key: the other serves, and it is not called again', async () => {
    const main = await memberOn('microsoft');
    const before = await timesAsked(microsoft);
    await broken(microsoft, { kind: 'auth' }, async () => {
      for (let i = 0; i < 10; i++) await translateOne(main.client, { ...FRENCH, text: freshText() });
      expect((await timesAsked(microsoft)) - before).toBe(1);
      expect(await timesAsked(microsoft2)).toBeGreaterThanOrEqual(10);
    });
  });

  it('is rate limited: the other serves, and it is paused as long as it asks', async () => {
    const main = await memberOn('youdao');
    await broken(youdao, { kind: 'rate' }, async () => {
      for (let i = 0; i < 8; i++) await translateOne(main.client, { ...FRENCH, text: freshText() });
      // A pause of a second after each: a slow machine calls it again, but not for every request.
      expect(await timesAsked(youdao)).toBeLessThan(5);
    });
  });

  it.each(['empty', 'malformed', 'count', 'echo', 'script', 'cut'] as const)(
    'returns no translation (%s): the other serves',
    async (kind) => {
      const main = await memberOn('youdao');
      await broken(youdao, { kind, times: 1 }, async () => {
        for (let i = 0; i < 2; i++) {
          const text = freshText();
          const { translated } = await translateOne(main.client, { ...FRENCH, text });
          expect(translated).not.toBe(text);
          expect(translated).toContain(/\d+/.exec(text)?.[0]);
        }
      });
    },
  );
});

describe('a single account', () => {
  it('that fails once is retried, invisibly to the member', async () => {
    const main = await memberOn('libretranslate');
    await broken(libretranslate, { kind: 'error', times: 2 }, async () => {
      const before = await timesAsked(libretranslate);
      await translateOne(main.client, { ...FRENCH, text: freshText() });
      expect((await timesAsked(libretranslate)) - before).toBe(3);
    });
  });

  it('is paused after enough failures, probed by one request, and serves again', async () => {
    const main = await memberOn('libretranslate');
    const ask = () => main.client.send(translateText, { ...FRENCH, text: freshText() });
    await broken(libretranslate, { kind: 'error' }, async () => {
      const before = await timesAsked(libretranslate);
      // Five of the burst fail together; the rest waits until one of them may probe, in vain.
      const crowd = await Promise.all(Array.from({ length: 6 }, ask));
      expect(crowd.map(({ status }) => status)).toEqual(crowd.map(() => 502));
      expect((await timesAsked(libretranslate)) - before).toBeLessThan(6 * 3);
    });
    // The breaker is open for a short time: the member waits a little, or retries.
    const { status } = await waitUntil(ask, (reply) => reply.status === 200);
    expect(status).toBe(200);
    expect((await main.client.call(listTranslationLogs, { pageSize: '1' })).rows[0]).toMatchObject({ status: 'ok' });
  });

  it('limited to five requests a second delays members instead of refusing them', async () => {
    const main = await memberOn('tencent');
    const begun = performance.now();
    const crowd = Array.from({ length: 12 }, () => translateOne(main.client, { ...FRENCH, text: freshText() }));
    for (const { channelId } of await Promise.all(crowd)) expect(channelId).toBe(CHANNELS.tencent.id);
    // Five at once, five a second later, two a second after that.
    expect(performance.now() - begun).toBeGreaterThan(2_000);
    // On a slow machine requests may arrive too close together: then they are retried.
    const { count, refused } = await callsOf(tencent);
    expect(count - refused).toBe(12);
    expect(refused).toBeLessThan(4);
  });

  it('with a queue full of the member’s own requests: 429 with a retry time, free of charge', async () => {
    const main = await memberOn('deepl');
    const ask = () => main.client.send(translateText, { ...FRENCH, text: freshText() });
    // One in five seconds: three of them get their turn in time.
    const replies = await Promise.all([1, 2, 3, 4, 5].map(ask));
    const late = replies.filter(({ status }) => status !== 200);
    expect(late.length).toBeGreaterThanOrEqual(2);
    for (const reply of late) {
      expect(reply).toMatchObject({ status: 429, body: { success: false, code: 'TOO_MANY_REQUESTS', data: null } });
      expect(Number(reply.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    const { rows } = await main.client.call(listTranslationLogs, {});
    expect(rows.filter(({ status }) => status === 'failed').every(({ charged }) => charged === 0)).toBe(true);
    expect((await main.client.call(listAccountLogs, { logType: 'TRANSLATION_CONSUME' })).total).toBe(5 - late.length);
  });
});

describe('both accounts', () => {
  it('fail once and are retried, invisibly to the member', async () => {
    const main = await memberOn('youdao');
    await broken(youdao, { kind: 'error', times: 1 }, () =>
      broken(youdao2, { kind: 'error', times: 1 }, async () => {
        const answer = await translateOne(main.client, { ...FRENCH, text: freshText() });
        expect(answer.channelId).toBe(CHANNELS.youdao.id);
      }),
    );
  });

  it('are rate limited and delay a burst of requests instead of refusing it', async () => {
    const main = await memberOn('youdao');
    await setChars(fixture.api, main.session.userId, 100_000);
    await broken(youdao, { kind: 'rate', times: 2 }, () =>
      broken(youdao2, { kind: 'rate', times: 2 }, async () => {
        const crowd = Array.from({ length: 20 }, () => translateOne(main.client, { ...FRENCH, text: freshText() }));
        for (const { channelId } of await Promise.all(crowd)) expect(channelId).toBe(CHANNELS.youdao.id);
      }),
    );
  });
});

describe('channel figures', () => {
  it('describe real requests, and survive a restart of the process that counted', async () => {
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
    await fixture.api.app.get(Traffic, { strict: false }).flush();
    expect(await main.client.call(listChannelStatus, {})).toEqual(status);
    expect((await new TestClient(fixture.api.url).send(listChannelStatus, {})).status).toBe(401);
  });
});
