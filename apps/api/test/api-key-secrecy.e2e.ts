/** Keys are in no span, no figure and no line of the log, wherever clients put them (docs/decisions/0071, 0072). */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newSecret } from '../src/api-keys/api-keys.js';
import { freePort } from '../bench/child.js';
import { startApi, type TestApi } from './support/api.js';
import { makeKey } from './support/api-keys.js';
import { ask, type DoorReply, form, json } from './support/doors.js';
import { makeMainWith } from './support/family.js';
import { type ApiProcess, spawnApi } from './support/process.js';
import { type TraceCollector, traceCollector } from './support/trace-collector.js';
import { waitUntil } from './support/wait-until.js';

let api: TestApi;
let server: ApiProcess;
let collector: TraceCollector;
let metricsPort: number;
let secret: string;
let token: string;

beforeAll(async () => {
  collector = await traceCollector();
  api = await startApi({ LIMIT_TRANSLATION_PER_SECOND: '1000' });
  const main = await makeMainWith(api, 100_000);
  ({ secret } = await makeKey(main));
  ({ secret: token } = await makeKey(main, { kind: 'url', scopes: ['text'] }));
  metricsPort = await freePort();
  server = await spawnApi(api.env, { ...collector.env, METRICS_PORT: String(metricsPort), LOG_LEVEL: 'debug' });
});
afterAll(async () => {
  await server.stop();
  await api.stop();
  collector.close();
});

const [DEEPL, GOOGLE] = [
  { text: ['头发'], source_lang: 'ZH', target_lang: 'ZH-HANT' },
  { q: '头发', source: 'zh-CN', target: 'zh-TW' },
];
const LIBRE = { q: '头发', source: 'zh-Hans', target: 'zh-Hant' };
const IMMERSIVE = { source_lang: 'zh-CN', target_lang: 'zh-TW', text_list: ['头发'] };
const NATIVE = { text: '头发', source: 'zh-Hans', target: 'zh-Hant' };

/** `path`: as it is routed; the trace is named by it. */
type Way = [what: string, path: string, usesToken: boolean, send: (key: string) => Promise<DoorReply>];
const at = (path: string): string => `${server.url}${path}`;
const WAYS: Way[] = [
  [
    'Bearer',
    '/v1/translate',
    false,
    (key) => ask(at('/v1/translate'), json(NATIVE, { Authorization: `Bearer ${key}` })),
  ],
  [
    'DeepL-Auth-Key',
    '/deepl/v2/translate',
    false,
    (key) => ask(at('/deepl/v2/translate'), json(DEEPL, { Authorization: `DeepL-Auth-Key ${key}` })),
  ],
  [
    'DeepL’s auth_key in a form',
    '/deepl/v2/translate',
    false,
    (key) =>
      ask(at('/deepl/v2/translate'), form({ text: '头发', source_lang: 'ZH', target_lang: 'ZH-HANT', auth_key: key })),
  ],
  [
    'Google’s ?key=',
    '/google/language/translate/v2',
    false,
    (key) => ask(at(`/google/language/translate/v2?key=${key}`), json(GOOGLE)),
  ],
  [
    'LibreTranslate’s api_key',
    '/libre/translate',
    false,
    (key) => ask(at('/libre/translate'), json({ ...LIBRE, api_key: key })),
  ],
  [
    'DeepLX’s token in the address',
    '/deeplx/:token/translate',
    true,
    (key) => ask(at(`/deeplx/${key}/translate`), json({ text: '头发', source_lang: 'ZH', target_lang: 'ZH-HANT' })),
  ],
  [
    'Immersive Translate’s token in the address',
    '/immersive/:token',
    true,
    (key) => ask(at(`/immersive/${key}`), json(IMMERSIVE)),
  ],
];

const metrics = async (): Promise<string> => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
/** The trace of an answer, once it has been exported. */
async function tracedTo({ headers }: DoorReply, path: string): Promise<void> {
  const id = (headers.get('x-request-id') ?? '').replaceAll('-', '');
  await waitUntil(
    () => Promise.resolve(collector.spans.filter(({ traceId }) => traceId === id)),
    (spans) => spans.some(({ name }) => name === `POST ${path}`),
  );
}
const loggedTo = ({ headers }: DoorReply): Promise<unknown> =>
  waitUntil(
    () => Promise.resolve(server.log()),
    (log) => log.includes(headers.get('x-request-id') ?? 'none'),
  );
/** Everything that is kept of requests, by where it is kept. */
const kept = async (): Promise<Record<string, string>> => ({
  spans: collector.received(),
  metrics: await metrics(),
  log: server.log(),
});

/** Without its readable prefix, which names the key. */
const partOf = (key: string): string => key.slice(key.indexOf('_') + 9);
async function expectNowhere(key: string): Promise<void> {
  for (const [where, text] of Object.entries(await kept()))
    for (const form of [key, partOf(key), encodeURIComponent(key), Buffer.from(key).toString('base64')])
      expect([where, text.includes(form)]).toEqual([where, false]);
}

// Spans are exported every five seconds, so the requests are sent first and waited for together.
it.each([
  ['accepted', true],
  ['refused', false],
] as const)('keys that are %s appear nowhere', async (_, isValid) => {
  const sent: { reply: DoorReply; path: string; key: string }[] = [];
  for (const [what, path, usesToken, send] of WAYS) {
    const valid = usesToken ? token : secret;
    const key = isValid ? valid : newSecret(usesToken ? 'url' : 'secret').secret;
    const reply = await send(key);
    expect([what, reply.status < 400]).toEqual([what, isValid]);
    sent.push({ reply, path, key });
  }
  for (const { reply, path } of sent) {
    await tracedTo(reply, path);
    await loggedTo(reply);
    expect(await metrics()).toContain(path);
  }
  for (const { key } of sent) await expectNowhere(key);
});

it('keys appear nowhere either when the address or the body is wrong', async () => {
  for (const key of [secret, token]) {
    const replies = [
      await ask(at(`/immersive/${key}/more`), json(IMMERSIVE)),
      await ask(at(`/deeplx/${key}`), json({})),
      await ask(at(`/v1/translate?key=${key}`), json(NATIVE)),
      await ask(at(`/v1/${key}`)),
      await ask(at(`/nothing/${key}?api_key=${key}`)),
      await ask(at('/libre/translate'), { ...json({}), body: `{"api_key":"${key}",` }),
      await ask(at('/v1/translate'), { ...json(NATIVE, { Authorization: `Bearer ${key}` }), body: '{' }),
      await ask(at('/v1/translate'), json({ ...NATIVE, api_key: key }, { Authorization: `Bearer ${secret}` })),
    ];
    for (const reply of replies) {
      expect(reply.status).toBeGreaterThanOrEqual(400);
      await loggedTo(reply);
    }
    await expectNowhere(key);
  }
});
