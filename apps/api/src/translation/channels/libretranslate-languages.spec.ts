import { afterEach, describe, expect, it } from '@jest/globals';
import { stubServer } from '../../../test/support/stub-server.js';
import { waitUntil } from '../../../test/support/wait-until.js';
import { asked, failureOf } from '../../../test/support/vendor-accounts.js';
import { LibretranslateLanguages } from './libretranslate.js';
import { VendorHttp } from './vendor-http.js';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** A server with a changing list, a client of it, and a fake clock. */
async function listing(first: { status?: number; json: unknown }) {
  let said = first;
  const server = await stubServer(() => ({ status: said.status ?? 200, body: JSON.stringify(said.json) }));
  const http = new VendorHttp(server.url, 2);
  open.push(() => http.close(), server.close);
  let now = 0;
  const list = new LibretranslateLanguages(http, () => now);
  return {
    list,
    asked: server.asked,
    says: (next: typeof first) => void (said = next),
    later: (ms: number) => void (now += ms),
    /** Its list has arrived. */
    knows: (source: string, target: string) => list.pair(asked({ texts: ['a'], source, target })),
  };
}

const enEs = [
  { code: 'en', targets: ['en', 'es'] },
  { code: 'es', targets: ['en'] },
];

describe('the languages of a LibreTranslate server', () => {
  it('are unrestricted until the server answers, and are requested again after a failure', async () => {
    const { list, asked: calls, says, later } = await listing({ status: 503, json: {} });
    // The request will find out whether the pair is supported; until then members keep the channel.
    expect([list.supports('en', 'es'), list.supports(null, 'fr'), list.supports('en', 'en')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(list.languages().targets.has('fr')).toBe(true);
    expect(await failureOf(list.pair(asked({ texts: ['a'] })))).toMatchObject({
      kind: 'transient',
      message: 'HTTP 503',
    });
    says({ json: enEs });
    expect(list.languages().auto).toBe(true);
    expect(calls).toHaveLength(1);
    later(2_000);
    expect(await list.pair(asked({ texts: ['a'], target: 'es' }))).toEqual({ source: 'en', target: 'es' });
    expect(calls).toHaveLength(2);
    expect([list.supports('en', 'es'), list.supports('en', 'fr')]).toEqual([true, false]);
    expect((await failureOf(list.pair(asked({ texts: ['a'], target: 'fr' })))).kind).toBe('unsupported');
  });

  it('keep the last response while the server is down, and refresh in the background', async () => {
    const { list, asked: calls, says, later, knows } = await listing({ json: enEs });
    await knows('en', 'es');
    for (let times = 0; times < 20; times++) list.supports('es', 'en');
    expect(calls).toHaveLength(1);
    says({ status: 500, json: {} });
    later(10 * 60_000);
    expect(list.supports('en', 'es')).toBe(true);
    await waitUntil(
      () => Promise.resolve(calls.length),
      (count) => count === 2,
    );
    says({ json: [...enEs, { code: 'fr', targets: ['en'] }] });
    await waitUntil(
      () => {
        later(2_000);
        return Promise.resolve(list.supports('fr', 'en'));
      },
      (yes) => yes,
    );
    expect(list.supports('en', 'es')).toBe(true);
  });

  it('are awaited by the first requests, which share one call, within their deadline', async () => {
    let answer = () => {};
    const begin = new Promise<void>((resolve) => (answer = resolve));
    const server = await stubServer(async () => {
      await begin;
      return { body: JSON.stringify(enEs) };
    });
    const http = new VendorHttp(server.url, 2);
    open.push(() => http.close(), server.close);
    const list = new LibretranslateLanguages(http);
    const request = asked({ texts: ['a'], target: 'es' });
    const hasty = list.pair({ ...request, signal: AbortSignal.timeout(50) });
    const patient = [list.pair(request), list.pair({ ...request, source: null })];
    expect((await failureOf(hasty)).kind).toBe('timeout');
    answer();
    expect(await Promise.all(patient)).toEqual([
      { source: 'en', target: 'es' },
      { source: 'auto', target: 'es' },
    ]);
    expect(server.asked).toHaveLength(1);
  });

  it('are sent in the codes that the server knows', async () => {
    const { list, knows } = await listing({
      json: [
        { code: 'zh', targets: ['zt', 'pb', 'nb'] },
        { code: 'zt', targets: ['zh'] },
        { code: 'pb', targets: ['zh'] },
        { code: 'nb', targets: ['zh'] },
      ],
    });
    await knows('zh-Hans', 'zh-Hant');
    const pair = (source: string, target: string) => list.pair(asked({ texts: ['a'], source, target }));
    expect(await pair('zh-Hans', 'zh-Hant')).toEqual({ source: 'zh', target: 'zt' });
    expect(await pair('pt-BR', 'zh-Hans')).toEqual({ source: 'pb', target: 'zh' });
    expect(await pair('zh-Hans', 'no')).toEqual({ source: 'zh', target: 'nb' });
  });

  it('prefer our own code among duplicates, and include all targets when none are listed', async () => {
    const { list, knows } = await listing({ json: [{ code: 'pt-BR' }, { code: 'pt' }, { code: 'en' }] });
    await knows('en', 'pt-BR');
    expect(await list.pair(asked({ texts: ['a'], target: 'pt-BR' }))).toEqual({ source: 'en', target: 'pt-BR' });
    expect(list.supports('en', 'en')).toBe(false);
  });

  it('reject a malformed list', async () => {
    const { list } = await listing({ json: { languages: [] } });
    expect((await failureOf(list.pair(asked({ texts: ['a'] })))).kind).toBe('bad-answer');
  });
});
