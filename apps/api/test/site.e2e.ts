/** Configuration by operators, and its public part (decisions §6, §9). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defaultDocuments } from '@yiqiao/contracts/default-documents';
import { getDataConfig } from '@yiqiao/contracts/site';
import { configGet } from '../src/operator/configs.js';
import { configList } from '../src/operator/configs.js';
import { configSet } from '../src/operator/configs.js';
import type { OperatorTask } from '../src/operator/operator-app.js';
import { CommandError, UsageError } from '../src/platform/cli-messages.js';
import { loadConfig } from '../src/platform/config.js';
import { checkDocument } from '../src/site/known-documents.js';
import { Site } from '../src/site/site.js';
import { startApi, type TestApi } from './support/api.js';
import { tester } from './support/operator.js';
import { onlyGateway } from './support/orders.js';
import { TestClient } from './support/client.js';

let api: TestApi;
let visitor: TestClient;

beforeAll(async () => {
  api = await startApi();
  visitor = new TestClient(api.url);
});
afterAll(() => api.stop());

const says = async (work: OperatorTask, language: 'zh' | 'en' = 'en'): Promise<string> => {
  const lines: string[] = [];
  await work({ app: await api.commandLine(), language, print: (line) => void lines.push(line) });
  return lines.join('\n');
};
/** The public response; its text is a JSON document, whatever the order of its fields. */
const published = async (id: string): Promise<unknown> =>
  JSON.parse((await visitor.call(getDataConfig, { id })).valued);
const USDT = '{"enabled":true,"url":"https://pay.example.com/usdt"}';

describe('config set', () => {
  it('creates a public document and changes it', async () => {
    expect(await says(configSet(['USDT_PAY_INFO', '{"url":"https://pay.example.com/usdt"}']))).toBe(
      `USDT_PAY_INFO (public)\n  – → ${USDT}`,
    );
    expect(await published('USDT_PAY_INFO')).toEqual({ enabled: true, url: 'https://pay.example.com/usdt' });
    const off = '{"enabled":false,"url":"https://pay.example.com/usdt"}';
    expect(await says(configSet(['USDT_PAY_INFO', off]), 'zh')).toMatch(
      /^USDT_PAY_INFO \(公开\)\n .* → \{"enabled":false/,
    );
    expect(await published('USDT_PAY_INFO')).toEqual(JSON.parse(off));
    expect(await api.app.get(Site).config('USDT_PAY_INFO')).toEqual(JSON.parse(off));
  });

  it('keeps a private document inside the product', async () => {
    await says(configSet(['--private', 'INTERNAL', '[1,{"a":"é 中"}]']));
    const { status, body } = await visitor.send(getDataConfig, { id: 'INTERNAL' });
    expect([status, body]).toEqual([404, expect.objectContaining({ code: 'NOT_FOUND', data: null })]);
    expect(await api.app.get(Site).config('INTERNAL')).toEqual([1, { a: 'é 中' }]);
    await says(configSet(['INTERNAL', 'null']));
    expect(await visitor.call(getDataConfig, { id: 'INTERNAL' })).toEqual({ id: 'INTERNAL', valued: 'null' });
  });

  it('records who and what changed; of a private document only its digest', async () => {
    const by = ['--by', 'tester', '--reason', 'new name'];
    await says(configSet(['TITLES', '{"zh":"甲","en":"A","n":1}', ...by]));
    await says(configSet(['TITLES', '{"n":1,"en":"A","zh":"甲"}', ...by]));
    await says(configSet(['TITLES', '{"zh":"乙","en":"A","n":1}', ...by]));
    await says(configSet(['--private', 'SECRETS', '"s3cret"', ...by]));
    await expect(says(configSet(['TITLES', '1', '--by', 'nobody']))).rejects.toThrow(CommandError);
    const { rows } = await api.db.query(
      `SELECT m.name, target_id, before, after, reason FROM manager_action JOIN manager m ON m.id = manager_id
       WHERE target_kind = 'config' AND target_id IN ('TITLES', 'SECRETS') ORDER BY done_at`,
    );
    const who = { name: 'tester', reason: 'new name' };
    const first = { zh: '甲', en: 'A', n: 1 };
    expect(rows).toEqual([
      { ...who, target_id: 'TITLES', before: null, after: { public: true, valued: first } },
      { ...who, target_id: 'TITLES', before: { valued: first }, after: { valued: { ...first, zh: '乙' } } },
      {
        ...who,
        target_id: 'SECRETS',
        before: null,
        after: { public: false, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    ]);
  });

  it('reads a file, and accepts the output of get', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'yiqiao-config-'));
    try {
      const file = path.join(folder, 'brand.json');
      const brand = { zh: '译桥', en: 'Yiqiao', links: ['https://example.com/?a=1&b="x"'] };
      writeFileSync(file, JSON.stringify(brand));
      await says(configSet(['BRAND', `@${file}`]));
      const text = await says(configGet(['BRAND']));
      expect(JSON.parse(text)).toEqual(brand);
      await says(configSet(['BRAND', text]));
      expect(await api.app.get(Site).config('BRAND')).toEqual(brand);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    ['no id', []],
    ['no document', ['A']],
    ['too much', ['A', '1', '2']],
    ['an ill id', ['a-b', '1']],
    ['no JSON', ['A', '{nope}']],
    ['a NUL', ['A', '"\\u0000"']],
    ['a file that is not there', ['A', '@/no/such/file']],
    ['too long', ['A', JSON.stringify('x'.repeat(300_000))]],
    ['an unknown option', ['A', '1', '--secret', 'true']],
  ])('shows its usage: %s', (_, args) => {
    expect(() => configSet(args)).toThrow(UsageError);
  });

  it.each([
    '{"enabled":"yes"}',
    '[]',
    '{"url":"ftp://x.example"}',
    '{"url":"pay.example"}',
    '{"url":"","more":1}',
    'null',
  ])('rejects %s for USDT_PAY_INFO and changes nothing', async (text) => {
    const before = await api.app.get(Site).config('USDT_PAY_INFO');
    await expect(says(configSet(['USDT_PAY_INFO', text]))).rejects.toThrow(CommandError);
    expect(await api.app.get(Site).config('USDT_PAY_INFO')).toEqual(before);
  });

  it('accepts an address without TLS in development only', () => {
    const document = { url: 'http://localhost:8081/usdt' };
    expect(checkDocument('USDT_PAY_INFO', document, loadConfig(api.env))).toEqual({
      valued: { enabled: true, ...document },
    });
    const urls = { PUBLIC_URL: 'https://a.example', SANDBOX_URL: '', MAIL_FROM: 'x@a.example' };
    const production = loadConfig({ ...api.env, ...onlyGateway({}), ...urls, NODE_ENV: 'production' });
    expect(checkDocument('USDT_PAY_INFO', document, production)).toHaveProperty('wrong');
  });
});

it.each([true, false])('would accept every initial document from an operator (production: %s)', async (production) => {
  const config = { production };
  for (const { id, valued } of defaultDocuments(config)) expect(checkDocument(id, valued, config)).toEqual({ valued });
  const site = api.app.get(Site);
  await site.set({ id: 'SITE_INFO', valued: 'of an operator', public: true }, tester);
  await site.seed(defaultDocuments(config));
  expect(await site.config('SITE_INFO')).toBe('of an operator');
  expect(await site.find('CUSTOMER_SERVICE')).toMatchObject({ public: false });
});

it('config list shows all documents, in either language', async () => {
  await says(configSet(['LONG', JSON.stringify('长'.repeat(500))]));
  const en = await says(configList([]));
  expect(en).toMatch(/^id\s+public\s+changed\s+content/);
  expect(en).toMatch(/^LONG\s+yes\s+\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\s+"长+…$/m);
  expect(await says(configList([]), 'zh')).toMatch(/^编号\s+公开/);
  expect(() => configList(['x'])).toThrow(UsageError);
});

it('config get of a missing document says so', async () => {
  await expect(says(configGet(['NOTHING']))).rejects.toThrow(CommandError);
});

describe('GET /dataCus/get', () => {
  it.each([
    [{}, 422],
    [{ id: 'NOTHING' }, 404],
    [{ id: "x' OR 1=1" }, 422],
    [{ id: '' }, 422],
    [{ id: 'BRAND', more: '1' }, 422],
    [{ id: ['BRAND', 'LONG'] }, 422],
    [{ id: '__proto__' }, 404],
  ])('%j: %i', async (query, status) => {
    expect((await visitor.send(getDataConfig, query)).status).toBe(status);
  });
});
