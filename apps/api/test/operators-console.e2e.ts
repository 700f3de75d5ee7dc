/** The operator console as its process serves it (operators §1). */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from './support/api.js';
import { TestOperators } from './support/operators.js';

const PAGE =
  '<html><head><style nonce="__NONCE__"></style><script>theme()</script></head><body><div id="root"></div></body></html>';

let folder: string;
let api: TestApi;
let operators: TestOperators;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'operators-'));
  const built = path.join(folder, 'dist-operator');
  await mkdir(path.join(built, 'assets'), { recursive: true });
  await writeFile(path.join(built, 'operator.html'), PAGE);
  await writeFile(path.join(built, 'assets/main-1.js'), 'start()');
  api = await startApi();
  operators = await TestOperators.start(api, { WEB_DIR: path.join(folder, 'dist') });
});
afterAll(async () => {
  await operators.stop();
  await api.stop();
  await rm(folder, { recursive: true });
});

const get = (address: string): Promise<Response> => fetch(`${operators.url}${address}`);

describe('the operator console', () => {
  it.each(['/', '/sign-in', '/enrol', '/ledger/replay/1', '/members/7?tab=log'])(
    'is the document of %s',
    async (address) => {
      const response = await get(address);
      const html = await response.text();
      expect(response.status).toBe(200);
      expect(html).toContain('id="root"');
      const policy = response.headers.get('content-security-policy') ?? '';
      const nonce = /nonce-([\w-]+)'/.exec(policy)?.[1];
      expect(html).toContain(`<style nonce="${nonce}">`);
      expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/]+='/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'x-robots-tag': 'noindex, nofollow',
      });
    },
  );

  it('has hashed files that browsers keep, and 404 for those that are not there', async () => {
    const file = await get('/assets/main-1.js');
    expect([file.status, file.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect((await get('/assets/main-2.js')).status).toBe(404);
  });

  it.each(['/client-user/user/get', '/client-user', '/operator-api/nothing', '/metrics'])(
    'is no answer to %s',
    async (address) => {
      const response = await get(address);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ success: false, code: 'NOT_FOUND' });
    },
  );

  it('says where it runs and what time it is there', async () => {
    const viewer = await operators.enrol('viewer-1', 'viewer');
    const { body } = await (await operators.signIn(viewer)).get('/shell');
    expect(body.data).toEqual({
      environment: 'development',
      site: expect.stringMatching(/^http:/),
      timeZone: 'Asia/Shanghai',
      now: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    });
  });
});
