/** The service accounts that visitors see and the writing operations over HTTP (specification §2, §7; decisions §6, §9). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import {
  checkCustomerService,
  getDataConfig,
  listCustomerService,
  listServicePlatforms,
  saveDataConfig,
} from '@yiqiao/contracts/site';
import { decodeQR } from 'qr/decode.js';
import sharp from 'sharp';
import { configSet } from '../src/operator/configs.js';
import { tokenIssue } from '../src/operator/managers.js';
import { OperatorTokens } from '../src/platform/operator-token.js';
import { Site } from '../src/site/site.js';
import { CommandError } from '../src/platform/cli-messages.js';
import { startApi, type TestApi } from './support/api.js';
import { listManagers, tester } from './support/operator.js';
import { TestClient } from './support/client.js';
import { makeMain } from './support/family.js';

let api: TestApi;
let visitor: TestClient;
let redSquare: string;

const accounts = (): unknown => [
  {
    platform: 'Telegram',
    accountList: [
      { accountType: 0, account: 'yiqiao_sales', referUrl: 'https://t.me/yiqiao_sales' },
      { accountType: 1, account: 'support', referUrl: 'https://t.me/support' },
      { accountType: 0, account: 'on_leave', listed: false },
    ],
  },
  { platform: 'WeChat', accountList: [{ accountType: 0, account: '译桥客服', qr: redSquare }] },
  { platform: 'Line', accountList: [{ accountType: 0, account: 'nobody_sees', listed: false }] },
  { platform: 'Empty', accountList: [] },
];

beforeAll(async () => {
  api = await startApi({ LIMIT_SERVICE_CHECKS_PER_MINUTE: '12', LIMIT_CODE_PICTURES_PER_MINUTE: '60' });
  visitor = new TestClient(api.url);
  const png = await sharp({ create: { width: 50, height: 50, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer();
  redSquare = `data:image/png;base64,${png.toString('base64')}`;
});
afterAll(() => api.stop());

const configure = async (id: string, document: unknown): Promise<void> =>
  configSet([id, JSON.stringify(document)])({ app: await api.commandLine(), language: 'en', print: () => undefined });

describe('without configuration', () => {
  it('returns an empty list', async () => {
    expect(await visitor.call(listServicePlatforms, {})).toEqual([]);
    expect(await visitor.call(listCustomerService, {})).toEqual([]);
    expect(await visitor.call(checkCustomerService, { platform: 'Telegram', account: 'x' })).toBe(false);
  });
});

describe('with configuration', () => {
  beforeAll(async () => {
    await configure('CUSTOMER_SERVICE', accounts());
    // Reads are cached for half a second.
    await new Promise((resolve) => setTimeout(resolve, 600));
  });

  it('lists the visible platforms and accounts in order', async () => {
    expect(await visitor.call(listServicePlatforms, {})).toEqual(['Telegram', 'WeChat', 'Line']);
    const listed = await visitor.call(listCustomerService, { height: '160', width: '160' });
    expect(listed.map(({ platform, accountList }) => [platform, accountList.map(({ account }) => account)])).toEqual([
      ['Telegram', ['yiqiao_sales', 'support']],
      ['WeChat', ['译桥客服']],
    ]);
    expect(listed[0]?.accountList[1]).toEqual({
      accountType: 1,
      account: 'support',
      referUrl: 'https://t.me/support',
      qrCode: expect.stringMatching(/^\/qr\/[0-9a-f]{24}-160x160\.png$/),
    });
  });

  it.each([
    [{}, [400, 400]],
    [{ height: '800', width: '800' }, [800, 800]],
    [{ height: '40', width: '1000' }, [1000, 40]],
    [{ height: '161', width: '97' }, [97, 161]],
  ] as const)('draws codes of exactly the size %j', async (size, [width, height]) => {
    const listed = await visitor.call(listCustomerService, size);
    for (const { qrCode } of listed.flatMap(({ accountList }) => accountList)) {
      const answer = await fetch(new URL(qrCode, api.url));
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      const drawn = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
      expect([drawn.format, drawn.width, drawn.height]).toEqual(['png', width, height]);
    }
  });

  it('renders a scannable QR code, and returns an uploaded picture unchanged', async () => {
    const [telegram, wechat] = await visitor.call(listCustomerService, { height: '400', width: '400' });
    const read = await Promise.all(
      (telegram?.accountList ?? []).map(async ({ qrCode }) => decodeQR(await pixels(qrCode))),
    );
    expect(read).toEqual(['https://t.me/yiqiao_sales', 'https://t.me/support']);
    const { data } = await pixels(wechat?.accountList[0]?.qrCode ?? '');
    expect([...data.subarray(0, 3)]).toEqual([255, 0, 0]);
  });

  it('limits unusual picture sizes per address, and serves usual ones to everybody', async () => {
    const [first] = await visitor.call(listCustomerService, {});
    const name = first?.accountList[0]?.qrCode.slice(4, 28) ?? '';
    const picture = (size: string) => fetch(`${api.url}/qr/${name}-${size}.png`);
    const flood = await Promise.all(Array.from({ length: 80 }, (_, i) => picture(`${900 + i}x1000`)));
    const statuses = flood.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(60);
    // A process that is busy with the flood may refuse some of it by admission control.
    expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
    const refused = flood.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await refused?.json()).toMatchObject({ success: false, code: 'TOO_MANY_REQUESTS' });
    for (const size of ['160x160', '400x400']) expect((await picture(size)).status).toBe(200);
    // Drawn pictures are cached.
    const drawn = flood.findLastIndex(({ status }) => status === 200);
    expect((await picture(`${900 + drawn}x1000`)).status).toBe(200);
  });

  it.each([
    ['another code', '0'.repeat(24) + '-400x400'],
    ['too large', '1001x1001'],
    ['too small', '39x40'],
    ['no size', 'png'],
  ])('returns 404 for an unlisted picture: %s', async (_, rest) => {
    const [first] = await visitor.call(listCustomerService, {});
    const name = first?.accountList[0]?.qrCode.slice(4, 28) ?? '';
    const file = rest.startsWith('0000') ? rest : `${name}-${rest}`;
    const answer = await fetch(`${api.url}/qr/${file}.png`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ success: false, code: 'NOT_FOUND' });
  });

  it.each([
    [{ height: '39' }, 422],
    [{ width: '1001' }, 422],
    [{ width: 'x' }, 422],
    [{ height: '400', more: '1' }, 422],
  ])('rejects %j', async (query, status) => {
    expect((await visitor.send(listCustomerService, query)).status).toBe(status);
  });

  it.each([
    ['Telegram', 'support', true],
    ['Telegram', '  support ', true],
    ['Telegram', 'on_leave', true],
    ['WeChat', '译桥客服', true],
    // The first letter of the second word is Cyrillic.
    ['Telegram', 'supp\u043ert', false],
    ['Telegram', 'Support', false],
    ['WeChat', 'support', false],
    ['telegram', 'support', false],
  ])('verifies that %s %s belongs to us: %s', async (platform, account, ours) => {
    const { status, body } = await visitor.send(checkCustomerService, { platform, account });
    expect([status, body]).toEqual([200, expect.objectContaining({ success: true, data: ours })]);
  });

  it('names the missing fields', async () => {
    const { status, body } = await visitor.send(checkCustomerService, { platform: ' ' });
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(JSON.stringify(body)).toContain('PLATFORM_REQUIRED');
    expect(JSON.stringify(body)).toContain('SERVICE_ACCOUNT_REQUIRED');
  });

  it('limits guesses of account names', async () => {
    const asked = Array.from({ length: 14 }, () =>
      visitor.send(checkCustomerService, { platform: 'Telegram', account: 'guess' }),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses).toContain(429);
  });

  it('does not expose the stored document', async () => {
    expect((await visitor.send(getDataConfig, { id: 'CUSTOMER_SERVICE' })).status).toBe(404);
  });
});

async function pixels(address: string): Promise<{ width: number; height: number; data: Uint8Array }> {
  const answer = await fetch(new URL(address, api.url));
  const { data, info } = await sharp(Buffer.from(await answer.arrayBuffer()))
    .flatten()
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

describe('POST /dataCus/save', () => {
  const save = async (authorization: string | undefined, input: object): Promise<{ status: number; body: unknown }> => {
    const headers = { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) };
    const init = { method: 'POST', headers, body: JSON.stringify(input) };
    const answer = await fetch(`${api.url}${BASE_PATH}${saveDataConfig.path}`, init);
    return { status: answer.status, body: await answer.json() };
  };
  const document = { id: 'SAVED', valued: '{"a":["中",1]}' };
  const token = async (args: string[] = []): Promise<string> => {
    const lines: string[] = [];
    await tokenIssue(args)({ app: await api.commandLine(), language: 'zh', print: (line) => void lines.push(line) });
    return lines.join();
  };

  it('stores the document of an operator and keeps private fields private', async () => {
    await listManagers(api.db, '小王');
    const bearer = `Bearer ${await token(['--by', '小王'])}`;
    expect(await save(bearer, document)).toMatchObject({ status: 200, body: { success: true, data: true } });
    expect(await visitor.call(getDataConfig, { id: 'SAVED' })).toEqual({ id: 'SAVED', valued: document.valued });
    const { rows } = await api.db.query(
      `SELECT m.name, before, after FROM manager_action JOIN manager m ON m.id = manager_id WHERE target_id = 'SAVED'`,
    );
    expect(rows).toEqual([{ name: '小王', before: null, after: { public: true, valued: { a: ['中', 1] } } }]);
    await api.app.get(Site).set({ id: 'SAVED', valued: 1, public: false }, tester);
    expect(await save(bearer, document)).toMatchObject({ status: 200 });
    expect((await visitor.send(getDataConfig, { id: 'SAVED' })).status).toBe(404);
    const hidden = { id: 'CUSTOMER_SERVICE', valued: JSON.stringify(accounts()) };
    expect(await save(bearer, hidden)).toMatchObject({ status: 200 });
    expect((await visitor.send(getDataConfig, { id: 'CUSTOMER_SERVICE' })).status).toBe(404);
  });

  it.each([
    ['SITE_INFO', '{}'],
    ['SOFT_DOWNLOAD_CONFIG', '{"id":1}'],
    [
      'CUSTOMER_SERVICE',
      '[{"platform":"X","accountList":[{"accountType":1,"account":"a","referUrl":"javascript:alert(1)"}]}]',
    ],
    [
      'CUSTOMER_SERVICE',
      '[{"platform":"X","accountList":[{"accountType":1,"account":"a","referUrl":"//evil.example"}]}]',
    ],
    [
      'CUSTOMER_SERVICE',
      '[{"platform":"X","accountList":[{"accountType":1,"account":"a","referUrl":"https://ok@evil.example"}]}]',
    ],
    [
      'CUSTOMER_SERVICE',
      '[{"platform":"X","accountList":[{"accountType":1,"account":"a","qr":"data:image/svg+xml;base64,PHN2Zz4="}]}]',
    ],
    ['ANY', 'not json'],
    ['ANY', '"\\u0000"'],
    ['not an id', '1'],
  ])('refuses %s %s and changes nothing', async (id, valued) => {
    const before = await api.app.get(Site).config('CUSTOMER_SERVICE');
    expect(await save(`Bearer ${await token()}`, { id, valued })).toMatchObject({ status: 422 });
    expect(await api.app.get(Site).config('CUSTOMER_SERVICE')).toEqual(before);
  });

  it('rejects a removed manager despite a valid token', async () => {
    await listManagers(api.db, '小周');
    const bearer = `Bearer ${await token(['--by', '小周'])}`;
    expect(await save(bearer, document)).toMatchObject({ status: 200 });
    await api.db.query("UPDATE manager SET listed = false WHERE name = '小周'");
    expect(await save(bearer, document)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    await expect(token(['--by', '小周'])).rejects.toThrow(CommandError);
  });

  it('requires an operator: no token, a wrong one, an old one, a member', async () => {
    const good = await token();
    const tokens = api.app.get(OperatorTokens);
    const [name = '', until = '', proof = ''] = good.split('.');
    const longer = `${name}.${Number(until) + 1}.${proof}`;
    const { sk } = (await makeMain(api)).session;
    for (const header of [undefined, '', 'Bearer', `Bearer ${longer}`, `Basic ${good}`, good, `Bearer ${sk}`])
      expect(await save(header, document)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(tokens.bearer(`Bearer ${good}`)).not.toBeNull();
  });
});
