/** Whoever guesses keys learns nothing from an answer, and nothing from how it came about (docs/decisions/0071). */
import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import { revokeApiKeys } from '@yiqiao/contracts/api-keys';
import { newSecret } from '../src/api-keys/api-keys.js';
import { startApi, type TestApi } from './support/api.js';
import { ask, type DoorReply, json } from './support/doors.js';
import { makeKey } from './support/api-keys.js';
import { recorded } from './support/explained.js';
import { makeMainWith } from './support/family.js';

type Kind = 'secret' | 'url';
/** Secrets that nobody may use: that of another key with the same prefix, one with a prefix that no key has, and a revoked one. */
type Refused = { wrong: string; unknown: string; revoked: string };

let api: TestApi;
let made: (kind: Kind) => Promise<Refused>;

beforeAll(async () => {
  api = await startApi();
  const main = await makeMainWith(api, 1_000);
  made = async (kind) => {
    const scopes = kind === 'url' ? (['text'] as const) : (['text', 'usage'] as const);
    const make = () => makeKey(main, { kind, scopes: [...scopes] });
    const [known, revoked] = [await make(), await make()];
    await main.client.call(revokeApiKeys, { ids: [revoked.apiKey.id] });
    const other = newSecret(kind);
    const wrong = known.apiKey.prefix + other.secret.slice(other.prefix.length);
    return { wrong, unknown: newSecret(kind).secret, revoked: revoked.secret };
  };
});
afterAll(() => api.stop());

const digestOf = (secret: string): string => hash('sha256', secret, 'hex');
const TEXT = { text: ['头发'], source_lang: 'ZH', target_lang: 'ZH-HANT' };

const WAYS: [way: string, kind: Kind, send: (secret: string) => Promise<DoorReply>][] = [
  [
    'the native API',
    'secret',
    (secret) =>
      ask(
        `${api.url}/v1/translate`,
        json({ text: '头发', source: 'zh-Hans', target: 'zh-Hant' }, { Authorization: `Bearer ${secret}` }),
      ),
  ],
  [
    'DeepL',
    'secret',
    (secret) => ask(`${api.url}/deepl/v2/translate`, json(TEXT, { Authorization: `DeepL-Auth-Key ${secret}` })),
  ],
  [
    'Google',
    'secret',
    (secret) =>
      ask(
        `${api.url}/google/language/translate/v2?key=${secret}`,
        json({ q: '头发', source: 'zh-CN', target: 'zh-TW' }),
      ),
  ],
  [
    'LibreTranslate',
    'secret',
    (secret) =>
      ask(`${api.url}/libre/translate`, json({ q: '头发', source: 'zh-Hans', target: 'zh-Hant', api_key: secret })),
  ],
  [
    'Immersive Translate',
    'url',
    (secret) =>
      ask(`${api.url}/immersive/${secret}`, json({ source_lang: 'zh-CN', target_lang: 'zh-TW', text_list: ['头发'] })),
  ],
];

/** What may differ between any two answers. */
const shapeOf = ({ status, headers }: DoorReply): object => ({
  status,
  names: [...headers.keys()],
  length: headers.get('content-length') !== null,
});

describe.each(WAYS)('a key that is refused by %s', (_, kind, send) => {
  it('is looked up by its digest, in one statement, whatever is wrong with it', async () => {
    const secrets = await made(kind);
    const statements: string[] = [];
    for (const secret of Object.values(secrets)) {
      const sent = await recorded(api.app.get(EntityManager), () => send(secret), /./);
      const own = sent.filter((statement) => statement.includes(digestOf(secret)));
      // Not by its readable part, and by no other statement of the request.
      expect(sent.filter((statement) => statement.includes(secret.slice(0, 12)))).toEqual([]);
      expect(own).toHaveLength(1);
      statements.push(own.join().replaceAll(digestOf(secret), 'DIGEST'));
    }
    expect(new Set(statements).size).toBe(1);
  });

  it('gets the same bytes for a wrong secret as for an unknown prefix; one that was revoked, the same status and headers', async () => {
    const { wrong, unknown, revoked } = await made(kind);
    const [ofWrong, ofUnknown, ofRevoked] = [await send(wrong), await send(unknown), await send(revoked)];
    expect(ofWrong.text).toBe(ofUnknown.text);
    expect(ofWrong.text).not.toContain(wrong.slice(0, 12));
    expect(shapeOf(ofUnknown)).toEqual(shapeOf(ofWrong));
    // Only its owner has the whole secret, and may know.
    expect(shapeOf(ofRevoked)).toEqual(shapeOf(ofWrong));
  });
});
