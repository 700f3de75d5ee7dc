/** Keys of the members' own software: made, used, changed, rotated, revoked (docs/decisions/0071). */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import {
  createApiKey,
  exportApiKeyUsage,
  getApiKey,
  getApiKeyUsage,
  listApiKeys,
  revokeApiKeys,
  rotateApiKey,
  updateApiKey,
} from '@yiqiao/contracts/api-keys';
import { API_KEY_SCOPES, type ApiKeyScope } from '@yiqiao/contracts/api-key-scopes';
import { nativeEndpoints } from '@yiqiao/contracts/endpoints';
import {
  deleteFromGlossary,
  languages,
  readGlossary,
  readUsage,
  translate,
  writeGlossary,
} from '@yiqiao/contracts/native-api';
import { changeEnabled, deleteChildUsers } from '@yiqiao/contracts/sub-accounts';
import { listTranslationLogs } from '@yiqiao/contracts/translation';
import { PruneApiKeys } from '../src/api-keys/prune-api-keys.js';
import { startApi, type TestApi } from './support/api.js';
import { clientWith, makeKey } from './support/api-keys.js';
import { TestClient } from './support/client.js';
import { makeMain, makeMainWith, makeSub } from './support/family.js';
import { brokenInvariants } from './support/ledger-invariants.js';
import { spawnApi } from './support/process.js';
import type { TestMember } from './support/test-members.js';
import { waitUntil } from './support/wait-until.js';

let api: TestApi;
let main: TestMember;

beforeAll(async () => {
  api = await startApi();
  main = await makeMainWith(api, 10_000);
});
afterAll(() => api.stop());

const HAIR = { text: '头发', source: 'zh-Hans', target: 'zh-Hant' };

describe('an API key', () => {
  it('translates from the balance of its account, and both logs name it', async () => {
    const { apiKey, client, secret } = await makeKey(main, { name: '店铺 A' });
    expect(secret).toMatch(/^yq_[2-9a-z]{8}[2-9a-zA-Z]{32}$/);
    expect(secret.startsWith(apiKey.prefix)).toBe(true);
    const answer = await client.call(translate, HAIR);
    expect(answer).toEqual({
      items: [{ success: true, translated: '頭髮', charged: 2, code: null, msg: null, source: 'zh-Hans' }],
      charged: 2,
    });
    const named = { id: apiKey.id, name: '店铺 A' };
    const [line] = (await main.client.call(listTranslationLogs, { pageSize: '1' })).rows;
    expect(line).toMatchObject({ apiKey: named, clientType: 'api', charged: 2 });
    const [entry] = (await main.client.call(listAccountLogs, { pageSize: '1' })).rows;
    expect(entry).toMatchObject({ apiKey: named, charChangeNum: -2 });
    const { days } = await main.client.call(getApiKeyUsage, { id: String(apiKey.id), days: '2' });
    expect(days.at(-1)).toMatchObject({ charNum: 2, requests: 1 });
    expect(days).toHaveLength(2);
    expect(await brokenInvariants(api.db, main.session.userId)).toEqual({});
  });

  it('translates HTML between its tags, and charges the text alone', async () => {
    const { client } = await makeKey(main);
    const html = '<p class="a">头发<b>很长</b></p>';
    const answer = await client.call(translate, { ...HAIR, text: html, format: 'html' });
    expect(answer).toMatchObject({ items: [{ translated: '<p class="a">頭髮<b>很長</b></p>' }], charged: 4 });
  });

  it('is kept as a digest', async () => {
    const { apiKey, secret } = await makeKey(main);
    const { rows } = await api.db.query<{ row: string }>('SELECT k::text AS row FROM api_key k WHERE id = $1', [
      apiKey.id,
    ]);
    expect(rows[0]?.row).not.toContain(secret.slice(apiKey.prefix.length));
  });

  it('says what it has left', async () => {
    const { client } = await makeKey(main, { dayCap: 100 });
    await client.call(translate, { ...HAIR, text: ['头发', '干杯'] });
    expect(await client.call(readUsage, {})).toMatchObject({ key: { dayCap: 100, usedToday: 4, usedThisMonth: 4 } });
  });

  it('reads and writes the glossary as far as its scopes go', async () => {
    const term = { source: 'zh-Hans', target: 'en', term: '译桥', translation: 'Yiqiao' };
    const { client } = await makeKey(main, { scopes: ['glossary.read', 'glossary.write'] });
    const { id } = await client.call(writeGlossary, term);
    expect((await client.call(readGlossary, {})).rows).toMatchObject([{ id, ...term }]);
    expect((await client.call(languages, {}).catch((error: unknown) => error)) as Error).toBeInstanceOf(Error);
    expect(await client.send(translate, HAIR)).toMatchObject({ status: 403, body: { code: 'API_KEY_SCOPE' } });
    expect(await client.call(deleteFromGlossary, { ids: [id] })).toEqual({ count: 1 });
    const reader = await makeKey(main, { scopes: ['glossary.read'] });
    expect(await reader.client.send(writeGlossary, term)).toMatchObject({ status: 403 });
  });

  it('is refused when it is missing, malformed, unknown, expired, or comes from elsewhere', async () => {
    const without = await clientWith(api.url, '').send(translate, HAIR);
    expect(without).toMatchObject({ status: 401, body: { code: 'API_KEY_REQUIRED' } });
    for (const secret of ['yq_short', `yq_${'2'.repeat(40)}`, 'x'.repeat(4_000)])
      expect(await clientWith(api.url, secret).send(translate, HAIR)).toMatchObject({
        status: 401,
        body: { code: 'API_KEY_UNKNOWN' },
      });
    const expired = await makeKey(main);
    await api.db.query("UPDATE api_key SET expire_at = now() - interval '1 s' WHERE id = $1", [expired.apiKey.id]);
    expect(await expired.client.send(translate, HAIR)).toMatchObject({
      status: 401,
      body: { code: 'API_KEY_EXPIRED' },
    });
    const elsewhere = await makeKey(main, { allowedIps: ['203.0.113.0/24', '2001:db8::/48'] });
    expect(await elsewhere.client.send(translate, HAIR)).toMatchObject({
      status: 403,
      body: { code: 'API_KEY_ADDRESS', data: { ip: '127.0.0.1' } },
    });
    const here = await makeKey(main, { allowedIps: ['127.0.0.0/8', '::1'] });
    expect(await here.client.send(translate, HAIR)).toMatchObject({ status: 200 });
  });

  it('works with its old secret while both are meant to, and not a moment longer', async () => {
    const { apiKey, client } = await makeKey(main);
    expect(await client.send(translate, HAIR)).toMatchObject({ status: 200 });
    const rotated = await main.client.call(rotateApiKey, { id: apiKey.id, overlapHours: 24 });
    const fresh = clientWith(api.url, rotated.secret);
    expect(rotated.apiKey.oldSecretUntil).not.toBeNull();
    expect(await client.send(translate, HAIR)).toMatchObject({ status: 200 });
    expect(await fresh.send(translate, HAIR)).toMatchObject({ status: 200 });
    const last = await main.client.call(rotateApiKey, { id: apiKey.id, overlapHours: 0 });
    expect(await fresh.send(translate, HAIR)).toMatchObject({ status: 401 });
    expect(await client.send(translate, HAIR)).toMatchObject({ status: 401 });
    expect(await clientWith(api.url, last.secret).send(translate, HAIR)).toMatchObject({ status: 200 });
  });

  it('ends and changes within a second on every process', async () => {
    const other = await spawnApi(api.env);
    try {
      const { apiKey, secret } = await makeKey(main);
      const there = clientWith(other.url, secret);
      expect(await there.send(translate, HAIR)).toMatchObject({ status: 200 });
      await main.client.call(updateApiKey, { id: apiKey.id, name: 'x', scopes: ['usage'] });
      await sleep(1_000);
      expect(await there.send(translate, HAIR)).toMatchObject({ status: 403 });
      expect(await main.client.call(revokeApiKeys, { ids: [apiKey.id] })).toEqual({ count: 1 });
      expect(await clientWith(api.url, secret).send(readUsage, {})).toMatchObject({
        body: { code: 'API_KEY_REVOKED' },
      });
      await sleep(1_000);
      expect(await there.send(readUsage, {})).toMatchObject({ status: 401, body: { code: 'API_KEY_REVOKED' } });
      expect(await main.client.send(updateApiKey, { id: apiKey.id, name: 'y', scopes: ['text'] })).toMatchObject({
        status: 409,
      });
      expect(await main.client.call(revokeApiKeys, { ids: [apiKey.id] })).toEqual({ count: 0 });
    } finally {
      await other.stop();
    }
  });

  it('keeps to its own rate', async () => {
    const { client } = await makeKey(main, { requestsPerSecond: 2 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => client.send(readUsage, {})));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('may only use the channel that it was given', async () => {
    const { client } = await makeKey(main, { tranChannelId: 1 });
    expect(await client.send(translate, { ...HAIR, channelId: 2 })).toMatchObject({
      body: { code: 'API_KEY_CHANNEL' },
    });
    expect(await client.send(translate, { ...HAIR, channelId: 1 })).toMatchObject({ status: 200 });
  });
});

it('keys are made and rotated only so often; those that were never used go a week after they were revoked', async () => {
  const limited = await startApi({ LIMIT_API_KEYS_PER_DAY: '4', LIMIT_API_KEY_ROTATIONS_PER_HOUR: '2' });
  try {
    const owner = await makeMainWith(limited, 100);
    const sub = await makeSub(limited, owner, 10);
    const keys = [await makeKey(owner), await makeKey(owner), await makeKey(owner), await makeKey(sub)];
    const [unused = 0, used = 0, fresh = 0] = keys.map(({ apiKey }) => apiKey.id);
    const again = await owner.client
      .with({ 'Accept-Language': 'en' })
      .send(createApiKey, { name: 'k', scopes: ['text'] });
    expect(again).toMatchObject({ status: 429, body: { code: 'API_KEYS_TOO_OFTEN' } });
    expect(again.body).toMatchObject({
      msg: 'Too many API keys were made within 24 hours. Please try again tomorrow.',
    });
    expect(Number(again.headers['retry-after'])).toBeGreaterThan(23 * 3600);
    const rotate = () => owner.client.send(rotateApiKey, { id: keys[3]?.apiKey.id, overlapHours: 0 });
    expect([await rotate(), await rotate(), await rotate()].map(({ status }) => status)).toEqual([200, 200, 429]);

    expect(await keys[1]?.client.call(translate, HAIR)).toMatchObject({ charged: 2 });
    // What was not noted as a use is known by what was charged.
    await limited.db.query('UPDATE api_key SET last_used_at = NULL');
    await owner.client.call(revokeApiKeys, { ids: [unused, used, fresh] });
    await limited.db.query("UPDATE api_key SET revoked_at = revoked_at - interval '8 days' WHERE id = ANY ($1)", [
      [unused, used],
    ]);
    await limited.app.get(CommandBus).execute(new PruneApiKeys());
    const { rows } = await owner.client.call(listApiKeys, { state: 'revoked' });
    expect(rows.map(({ id }) => id)).toEqual([fresh, used]);
    expect((await owner.client.call(listApiKeys, {})).rows).toHaveLength(1);
  } finally {
    await limited.stop();
  }
});

it('a cap that is set while another one goes stays', async () => {
  const owner = await makeMainWith(api, 10_000);
  const { apiKey: old } = await makeKey(owner, { dayCap: 5 });
  const waiting = (count: number): Promise<unknown> =>
    waitUntil(
      async () => (await api.db.query<{ n: number }>(WAITING)).rows[0]?.n,
      (n) => n === count,
    );
  const busy = await api.db.connect();
  await busy.query('BEGIN');
  await busy.query('SELECT FROM member_account WHERE user_id = $1 FOR UPDATE', [owner.session.userId]);
  // Both wait for the account: the second one has begun before the first one's key can be seen.
  const making = makeKey(owner, { dayCap: 3 });
  await waiting(1);
  const revoking = owner.client.call(revokeApiKeys, { ids: [old.id] });
  await waiting(2);
  await busy.query('COMMIT');
  busy.release();
  const [{ client }] = await Promise.all([making, revoking]);
  expect(await client.send(translate, { ...HAIR, text: '头发很长' })).toMatchObject({
    body: { code: 'API_KEY_CAP_REACHED' },
  });
});

const WAITING = `
SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

describe('keys of a family', () => {
  it('belong to the account that made them; a main account sees and ends all of them', async () => {
    const owner = await makeMainWith(api, 1_000);
    const sub = await makeSub(api, owner, 100);
    const mine = await makeKey(owner);
    const theirs = await makeKey(sub, { name: 'sub key' });
    expect(await theirs.client.call(translate, HAIR)).toMatchObject({ charged: 2 });
    expect((await sub.client.call(listApiKeys, {})).rows.map(({ id }) => id)).toEqual([theirs.apiKey.id]);
    const all = await owner.client.call(listApiKeys, {});
    expect(all).toMatchObject({ total: 2, count: 2 });
    expect((await owner.client.call(listApiKeys, { keyword: 'SUB' })).rows).toHaveLength(1);
    expect((await owner.client.call(listApiKeys, { userId: String(owner.session.userId) })).rows).toHaveLength(1);
    expect(await sub.client.send(getApiKey, { id: String(mine.apiKey.id) })).toMatchObject({ status: 404 });
    expect(await sub.client.send(revokeApiKeys, { ids: [mine.apiKey.id] })).toMatchObject({ status: 404 });
    await owner.client.call(revokeApiKeys, { ids: [theirs.apiKey.id] });
    expect(await theirs.client.send(translate, HAIR)).toMatchObject({ status: 401 });
    expect(await owner.client.call(listApiKeys, { state: 'revoked' })).toMatchObject({ total: 1 });
  });

  it('of a disabled sub-account do nothing until it is enabled again', async () => {
    const owner = await makeMainWith(api, 1_000);
    const sub = await makeSub(api, owner, 100);
    const { client } = await makeKey(sub);
    await owner.client.call(changeEnabled, { userId: sub.session.userId, enabled: 0 });
    await sleep(600);
    expect(await client.send(translate, HAIR)).toMatchObject({ body: { code: 'SESSION_DISABLED' } });
    await owner.client.call(changeEnabled, { userId: sub.session.userId, enabled: 1 });
    await sleep(600);
    expect(await client.send(translate, HAIR)).toMatchObject({ status: 200 });
  });

  it('of a deleted sub-account are revoked, named after it, and keep no address', async () => {
    const owner = await makeMainWith(api, 1_000);
    const sub = await makeSub(api, owner, 100);
    const { client, apiKey } = await makeKey(sub, { allowedIps: ['127.0.0.1'] });
    await owner.client.call(deleteChildUsers, { userId: sub.session.userId });
    expect(await client.send(translate, HAIR)).toMatchObject({ status: 401 });
    expect(await owner.client.call(listApiKeys, {})).toMatchObject({ rows: [], total: 0, count: 0 });
    const [row] = (await owner.client.call(listApiKeys, { state: 'revoked' })).rows;
    expect(row).toMatchObject({ id: apiKey.id, owner: sub.username, state: 'revoked', allowedIps: [] });
  });

  it('are limited to what an account may have', async () => {
    const sub = await makeSub(api, main, 10);
    const make = (given: object) => sub.client.send(createApiKey, { name: 'k', scopes: ['text'], ...given });
    expect(await make({ scopes: ['glossary.write'] })).toMatchObject({ body: { code: 'MAIN_ACCOUNT_ONLY' } });
    expect(await make({ tranChannelId: 1 })).toMatchObject({ body: { code: 'MAIN_ACCOUNT_ONLY' } });
    const bad = (given: object) => main.client.send(createApiKey, { name: 'k', scopes: ['text'], ...given });
    expect(await bad({ tranChannelId: 999 })).toMatchObject({ status: 404 });
    expect(await bad({ name: ' ' })).toMatchObject({ body: { errors: [{ code: 'API_KEY_NAME_REQUIRED' }] } });
    expect(await bad({ scopes: [] })).toMatchObject({ body: { errors: [{ path: 'scopes' }] } });
    expect(await bad({ allowedIps: ['10.0.0.0/33'] })).toMatchObject({
      body: { errors: [{ code: 'IP_RANGE_FORMAT' }] },
    });
    for (const range of ['::/NaN', '2001:db8::/32.5', '::/1e-7', '10.0.0.0/-1', 'fe80::1%eth0'])
      expect(await bad({ allowedIps: [range] })).toMatchObject({ status: 422 });
    expect(await bad({ expireDateTime: '2020-01-01 00:00:00' })).toMatchObject({
      body: { errors: [{ code: 'API_KEY_EXPIRY_PAST' }] },
    });
    expect(await bad({ kind: 'url', scopes: ['text', 'usage'] })).toMatchObject({
      body: { errors: [{ code: 'API_KEY_URL_SCOPE' }] },
    });
    const full = await makeMain(api);
    for (let n = 0; n < 100; n++) await makeKey(full);
    expect(await full.client.send(createApiKey, { name: 'k', scopes: ['text'] })).toMatchObject({
      body: { code: 'API_KEYS_FULL' },
    });
  });

  it('have their usage as a file', async () => {
    const { apiKey, client } = await makeKey(main);
    await client.call(translate, HAIR);
    const { status, headers } = await main.client.send(exportApiKeyUsage, { id: String(apiKey.id) });
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/csv');
  });
});

describe.each(nativeEndpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s',
  (_, endpoint) => {
    const input = endpoint.path === '/translate' ? HAIR : {};

    it('needs a key with its scope; a session is none', async () => {
      expect(await new TestClient(api.url).send(endpoint, input)).toMatchObject({ status: 401 });
      expect(await main.client.send(endpoint, input)).toMatchObject({
        status: 401,
        body: { code: 'API_KEY_REQUIRED' },
      });
      const others = (Object.keys(API_KEY_SCOPES) as ApiKeyScope[]).filter((scope) => scope !== endpoint.scope);
      const { client } = await makeKey(main, { scopes: others });
      expect(await client.send(endpoint, input)).toMatchObject({ status: 403, body: { code: 'API_KEY_SCOPE' } });
    });
  },
);

it('a key reaches nothing of another family', async () => {
  const owner = await makeMain(api);
  const victim = await makeKey(owner, { scopes: ['glossary.read', 'glossary.write'] });
  const term = { source: 'zh-Hans', target: 'en', term: '秘密', translation: 'secret of the victim' };
  const { id } = await victim.client.call(writeGlossary, term);
  const { client } = await makeKey(main, { scopes: ['glossary.read', 'glossary.write'] });
  expect(JSON.stringify(await client.call(readGlossary, {}))).not.toContain('secret of the victim');
  expect(await client.send(writeGlossary, { ...term, id })).toMatchObject({ status: 404 });
  expect(await client.send(deleteFromGlossary, { ids: [id] })).toMatchObject({ status: 404 });
});

describe('the description of the API', () => {
  it('is OpenAPI 3.1 and names every call', async () => {
    const answer = await fetch(`${api.url}/openapi.json`);
    const text = (await answer.json()) as { openapi: string; paths: Record<string, object> };
    expect(text.openapi).toBe('3.1.0');
    expect(Object.entries(text.paths).map(([path, calls]) => [path, Object.keys(calls)])).toEqual([
      ['/v1/translate', ['post']],
      ['/v1/languages', ['get']],
      ['/v1/usage', ['get']],
      ['/v1/glossary', ['get', 'post', 'delete']],
    ]);
    expect(JSON.stringify(text)).not.toContain('undefined');
  });

  it('is all there is below /v1', async () => {
    expect(await fetch(`${api.url}/v1/nothing`).then(({ status }) => status)).toBe(404);
    expect(await fetch(`${api.url}/v1/translate`).then(({ status }) => status)).toBe(405);
  });
});
