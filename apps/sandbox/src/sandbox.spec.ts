import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from '@jest/globals';

import { startSandbox, type Sandbox } from './sandbox.js';

const ANY = { host: '127.0.0.1', httpPort: 0, smtpPort: 0, dataDir: null, gatewaysFile: null, operatorsFile: null };
let sandbox: Sandbox | null = null;

afterEach(async () => {
  await sandbox?.stop();
  sandbox = null;
});

async function page(path: string, language: string): Promise<{ response: Response; body: string }> {
  sandbox ??= await startSandbox(ANY);
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': language };
  const response = await fetch(sandbox.url + path, { headers });
  return { response, body: await response.text() };
}

/** Sends a custom Host header, which fetch does not allow. */
async function statusFor(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

describe('the sandbox', () => {
  it('answers on localhost and 127.0.0.1', async () => {
    sandbox = await startSandbox(ANY);
    for (const name of ['localhost', '127.0.0.1']) {
      const response = await fetch(`${sandbox.url.replace('localhost', name)}/health`);
      expect(await response.json()).toEqual({ status: 'ok' });
    }
  });

  it('does not answer to another host name that points at this machine', async () => {
    sandbox = await startSandbox(ANY);
    expect(await statusFor(`${sandbox.url}/mail`, 'evil.example:80')).toBe(421);
    expect(await statusFor(`${sandbox.url}/mail`, 'localhost:80')).toBe(200);
  });

  it('introduces its parts in the language of the browser', async () => {
    const zh = await page('/', 'zh-CN,zh;q=0.9,en;q=0.8');
    expect(zh.body).toContain('<html lang="zh-CN">');
    expect(zh.body).toContain('<a href="/mail"><b>收件箱</b>');
    expect(zh.body).toContain('<a href="/cashier"><b>收银台</b>');
    expect(zh.body).toContain('<a href="/vendors"><b>翻译厂商</b>');
    const en = await page('/', 'en-GB,en;q=0.9,zh;q=0.5');
    expect(en.body).toContain('<a href="/mail"><b>Inbox</b>');
    expect((await page('/', 'fr-FR')).body).toContain('收件箱');
  });

  it('says at the cashier that no gateway is connected without keys', async () => {
    expect((await page('/cashier', 'zh-CN')).body).toContain('支付网关没有接通');
    expect((await page('/cashier', 'en')).body).toContain('The payment gateways are not connected');
    const { url } = sandbox!;
    for (const path of ['/gateway.do', '/v3/pay/transactions/native', '/cashier/YQ1/pay', '/payments/trades']) {
      expect((await fetch(url + path, { method: 'POST' })).status).toBe(404);
    }
  });

  it('is a witness that keeps the first copy of each close', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'witness-'));
    sandbox = await startSandbox({ ...ANY, dataDir: folder });
    const send = async (close: object): Promise<number> => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`${sandbox!.url}/witness`, { method: 'POST', headers, body: JSON.stringify(close) })).status;
    };
    const close = { number: 1, date: '2026-11-20', root: 'ab'.repeat(32) };
    expect([await send(close), await send(close), await send({ ...close, root: 'cd'.repeat(32) })]).toEqual([
      201, 200, 409,
    ]);
    expect(await send({ number: 2, date: '<script>', root: '<script>' })).toBe(201);
    expect(await send({ number: 0 })).toBe(400);
    const shown = (await page('/witness', 'en')).body;
    expect(shown).toContain('ab'.repeat(32));
    expect(shown).not.toContain('<script>');
    await sandbox.stop();
    sandbox = await startSandbox({ ...ANY, dataDir: folder });
    expect(await (await fetch(`${sandbox.url}/witness`)).json()).toMatchObject([close, { number: 2 }]);
    rmSync(folder, { recursive: true });
  });

  it('names an invalid key file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keys-'));
    const gatewaysFile = join(folder, 'keys.json');
    await expect(startSandbox({ ...ANY, gatewaysFile })).rejects.toThrow(
      `SANDBOX_GATEWAYS ${gatewaysFile} cannot be read`,
    );
    writeFileSync(gatewaysFile, '{"alipay": {"appId": "1"}}');
    await expect(startSandbox({ ...ANY, gatewaysFile })).rejects.toThrow('lacks alipay.sellerId, merchantPublicKey');
    rmSync(folder, { recursive: true });
  });

  it('loads nothing from other hosts: every address in its pages and styles is its own', async () => {
    const texts = [(await page('/', 'zh')).body, (await page('/mail', 'zh')).body, (await page('/cashier', 'zh')).body];
    texts.push((await page('/vendors', 'zh')).body, (await page('/style/sandbox.css', 'zh')).body);
    for (const text of texts) {
      expect(text).not.toMatch(/(?:href|src|action)="(?!\/|#|data:)/);
      expect(text).not.toMatch(/@import|url\((?!data:)/);
    }
  });

  it('reports a taken port and leaves nothing running', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    await expect(startSandbox({ ...ANY, httpPort: port })).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken`);
    await expect(startSandbox({ ...ANY, smtpPort: port })).rejects.toThrow(`Port ${port} on 127.0.0.1 is taken`);
    other.close();
  });

  it('stops at once while a browser and a mail client hold their connections open', async () => {
    sandbox = await startSandbox(ANY);
    await fetch(`${sandbox.url}/health`);
    const [host = '', port = ''] = sandbox.smtpAddress.split(':');
    const { createConnection } = await import('node:net');
    const client = createConnection(Number(port), host);
    client.on('error', () => undefined);
    await new Promise((resolve) => client.once('data', resolve));
    const begin = performance.now();
    await sandbox.stop();
    // Browsers keep connections open for five seconds.
    expect(performance.now() - begin).toBeLessThan(4_000);
    client.destroy();
  });
});
