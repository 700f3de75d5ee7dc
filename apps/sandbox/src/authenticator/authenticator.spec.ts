/** The phones of the demo operators: their codes are those that the product expects. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startSandbox, type Sandbox } from '../sandbox.js';
import { totp } from './authenticator.js';

/** RFC 6238, appendix B: the last six of the eight digits. */
it.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1234567890, '005924'],
  [20000000000, '353130'],
])('makes the code of the standard at %i s', (seconds, code) => {
  expect(totp('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', seconds)).toBe(code);
});

describe('/authenticator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'operators-'));
  let sandbox: Sandbox;
  beforeAll(async () => {
    const operatorsFile = join(folder, 'operators.json');
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
    writeFileSync(operatorsFile, JSON.stringify([{ name: 'owner', role: 'owner', password: 'a <password>', secret }]));
    const ports = { host: '127.0.0.1', httpPort: 0, smtpPort: 0 };
    sandbox = await startSandbox({ ...ports, dataDir: null, gatewaysFile: null, operatorsFile });
  });
  afterAll(async () => {
    await sandbox.stop();
    rmSync(folder, { recursive: true });
  });
  const get = (path: string, accept: string) => fetch(`${sandbox.url}${path}`, { headers: { Accept: accept } });

  it('gives name, password and code as JSON', async () => {
    const answer = await get('/authenticator?name=owner', 'application/json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toEqual({
      name: 'owner',
      password: 'a <password>',
      code: expect.stringMatching(/^\d{6}$/),
      secondsLeft: expect.any(Number),
    });
    expect((await get('/authenticator?name=nobody', 'application/json')).status).toBe(404);
  });

  it('shows them all in a page', async () => {
    const html = await (await get('/authenticator', 'text/html')).text();
    expect(html).toContain('a &lt;password&gt;');
    expect(html).not.toContain('GEZDGNBVGY3TQOJQ');
  });
});
