import { createConnection } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTransport, type Transporter } from 'nodemailer';

import { startSandbox, type Sandbox } from '../sandbox.js';
import type { Mail } from './browser/mail-row.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
let sandbox: Sandbox;
let sender: Transporter;

beforeAll(async () => {
  sandbox = await startSandbox({
    host: '127.0.0.1',
    httpPort: 0,
    smtpPort: 0,
    dataDir: null,
    gatewaysFile: null,
    operatorsFile: null,
  });
  sender = createTransport(`smtp://${sandbox.smtpAddress}`);
});
beforeEach(async () => {
  await call('DELETE', '/mail');
  await call('POST', '/mail/faults', { mode: 'none' });
});
afterAll(async () => {
  sender.close();
  await sandbox.stop();
});

async function call(method: string, path: string, body?: unknown): Promise<Response> {
  const json =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  return fetch(sandbox.url + path, { method, ...json });
}
async function inbox(query = ''): Promise<Mail[]> {
  return (await (await call('GET', `/mail${query}`)).json()) as Mail[];
}
async function send(mail: { to: string | string[]; bcc?: string; subject?: string; text?: string; html?: string }) {
  return sender.sendMail({ from: 'no-reply@yiqiao.test', subject: 's', ...mail });
}
/** Sends raw SMTP, one line per reply, then hangs up. Returns what the server sent. */
async function sendRawSmtp(lines: readonly string[]): Promise<string> {
  const [host = '', port = ''] = sandbox.smtpAddress.split(':');
  const socket = createConnection(Number(port), host).setEncoding('utf8');
  const left = [...lines];
  let heard = '';
  return new Promise((resolve) => {
    socket.on('data', (reply: string) => {
      heard += reply;
      const next = left.shift();
      if (next === undefined) socket.end();
      else socket.write(next);
    });
    socket.setTimeout(2_000, () => socket.destroy());
    socket.on('error', () => undefined).on('close', () => resolve(heard));
  });
}

describe('mail sent to the sandbox', () => {
  it('arrives with its encoded Chinese subject, text and markup, and exactly the fields of the wire', async () => {
    const before = Date.now();
    await send({ to: 'li@example.com', subject: '译桥验证码：428193', text: '验证码 428193。', html: '<b>428193</b>' });
    const [mail, ...rest] = await inbox('?to=li@example.com');
    expect(rest).toEqual([]);
    expect(Object.keys(mail ?? {}).sort()).toEqual(['at', 'html', 'subject', 'text', 'to']);
    expect(mail).toMatchObject({ to: 'li@example.com', subject: '译桥验证码：428193' });
    expect(mail?.text.trim()).toBe('验证码 428193。');
    expect(mail?.html.trim()).toBe('<b>428193</b>');
    expect(mail?.at).toBe(new Date(mail?.at ?? '').toISOString());
    expect(Math.abs(Date.parse(mail?.at ?? '') - before)).toBeLessThan(5000);
  });

  it('is found for every recipient, including bcc, in any case of the address', async () => {
    await send({ to: ['a@example.com', 'B@Example.com'], bcc: 'c@example.com' });
    for (const to of ['A@EXAMPLE.COM', 'b@example.com', 'c@example.com']) {
      const mails = await inbox(`?to=${to}`);
      expect(mails.map((mail) => mail.to.toLowerCase())).toEqual([to.toLowerCase()]);
    }
    expect(await inbox('?to=d@example.com')).toEqual([]);
    expect(await inbox('?to=example.com')).toEqual([]);
    expect(await inbox()).toHaveLength(3);
  });

  it('is found by an address with a plus sign, encoded or not', async () => {
    await send({ to: 'li+shop@example.com' });
    expect(await inbox('?to=li+shop@example.com')).toHaveLength(1);
    expect(await inbox('?to=li%2Bshop%40example.com')).toHaveLength(1);
  });

  it('is listed newest first, with a unique time', async () => {
    for (const subject of ['one', 'two', 'three']) await send({ to: 'a@example.com', subject });
    const mails = await inbox();
    expect(mails.map((mail) => mail.subject)).toEqual(['three', 'two', 'one']);
    expect(new Set(mails.map((mail) => mail.at)).size).toBe(3);
  });

  it('is accepted with and without authentication', async () => {
    const [host = '', port = ''] = sandbox.smtpAddress.split(':');
    const auth = { user: 'somebody', pass: 'anything' };
    const signedIn = createTransport({ host, port: Number(port), auth });
    await signedIn.sendMail({ from: 'x@yiqiao.test', to: 'a@example.com', text: 'x' });
    expect(await inbox()).toHaveLength(1);
  });

  it('is rejected permanently above a megabyte or a hundred recipients', async () => {
    await expect(send({ to: 'a@example.com', text: 'x'.repeat(1_100_000) })).rejects.toMatchObject({
      responseCode: 552,
    });
    const begin = ['EHLO x\r\n', 'MAIL FROM:<a@example.com>\r\n', 'RCPT TO:<b@example.com>\r\n', 'DATA\r\n'];
    expect(await sendRawSmtp([...begin, `Subject: x\r\n\r\n${'y'.repeat(1_100_000)}\r\n.\r\n`])).toContain('\r\n552 ');
    const crowd = Array.from({ length: 101 }, (_, index) => `RCPT TO:<p${index}@example.com>\r\n`);
    expect(await sendRawSmtp([...begin.slice(0, 2), ...crowd])).toContain('\r\n452 ');
    expect(await inbox()).toEqual([]);
  });

  it('survives garbage on its port', async () => {
    const nonsense = ['\x00\xff\r\n', 'GET / HTTP/1.1\r\n', ...Array<string>(12).fill('HELLO?\r\n')];
    expect(await sendRawSmtp(nonsense)).toContain('\r\n500 ');
    expect(await sendRawSmtp([`EHLO ${'x'.repeat(200_000)}`])).toContain('220 ');
    await sendRawSmtp([
      'EHLO x\r\n',
      'MAIL FROM:<a@example.com>\r\n',
      'RCPT TO:<b@example.com>\r\n',
      'DATA\r\n',
      'half a mail',
    ]);
    await sendRawSmtp([
      'EHLO x\r\n',
      'MAIL FROM:<a@example.com>\r\n',
      'RCPT TO:<b@example.com>\r\n',
      'DATA\r\n',
      '\0\r\n.\r\n',
    ]);
    await send({ to: 'after@example.com' });
    expect(await inbox('?to=after@example.com')).toHaveLength(1);
  });
});

describe('the inbox over HTTP', () => {
  it('is JSON for tools and a page for browsers', async () => {
    for (const accept of ['*/*', 'application/json', 'application/json, text/html']) {
      const response = await fetch(`${sandbox.url}/mail`, { headers: { accept } });
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    }
    const page = await fetch(`${sandbox.url}/mail?to=a@example.com`, { headers: { accept: BROWSER } });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('vary')).toContain('Accept');
  });

  it('keeps hostile mail out of the markup and lets the page run nothing but its own scripts', async () => {
    const html = '<script>top.location="https://evil.example"</script><img src=x onerror=alert(1)>';
    await send({ to: 'a@example.com', subject: '<img src=x onerror=alert(2)>', html });
    const page = await fetch(`${sandbox.url}/mail?to=<script>alert(3)</script>`, { headers: { accept: BROWSER } });
    const markup = await page.text();
    expect(markup).not.toMatch(/evil|onerror|alert/);
    expect(markup.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="/mail/browser/inbox.js">']);
    const policy = page.headers.get('content-security-policy') ?? '';
    for (const rule of ["default-src 'none'", "script-src 'self'", "frame-src 'none'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(rule);
    }
    expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:/);
  });

  it('serves the modules of the page as JavaScript', async () => {
    const names = ['inbox', 'mail-list', 'mail-view', 'mail-parts', 'inbox-texts'];
    for (const path of [...names.map((name) => `/mail/browser/${name}.js`), '/server/browser/element.js']) {
      const response = await call('GET', path);
      expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      expect(await response.text()).not.toContain('import type');
    }
    expect((await call('GET', '/mail/browser/..%2Fmail.js')).status).toBe(404);
  });

  it('returns 304 while nothing has changed', async () => {
    const tag = (await call('GET', '/mail')).headers.get('etag') ?? '';
    const again = async () => (await fetch(`${sandbox.url}/mail`, { headers: { 'if-none-match': tag } })).status;
    expect(await again()).toBe(304);
    await send({ to: 'a@example.com' });
    expect(await again()).toBe(200);
  });

  it('deletes all mail, or that of one address', async () => {
    await send({ to: ['a@example.com', 'b@example.com'] });
    expect(await (await call('DELETE', '/mail?to=A@example.com')).json()).toEqual({ cleared: 1 });
    expect((await inbox()).map((mail) => mail.to)).toEqual(['b@example.com']);
    expect(await (await call('DELETE', '/mail')).json()).toEqual({ cleared: 1 });
    expect(await inbox()).toEqual([]);
  });
});

describe('the failure switches', () => {
  it('reject the given number of mails temporarily, and then accept again', async () => {
    const set = await call('POST', '/mail/faults', { mode: 'refuse', count: 2 });
    expect(await set.json()).toEqual({ mode: 'refuse', count: 2, delayMs: 0, hits: 0 });
    for (let time = 0; time < 2; time += 1) {
      await expect(send({ to: 'a@example.com' })).rejects.toMatchObject({ responseCode: 451 });
    }
    expect(await inbox()).toEqual([]);
    await send({ to: 'a@example.com' });
    expect(await inbox()).toHaveLength(1);
    expect(await (await call('GET', '/mail/faults')).json()).toMatchObject({ mode: 'none', hits: 2 });
  });

  it('reject until switched off when no number is given', async () => {
    await call('POST', '/mail/faults', { mode: 'refuse' });
    for (let time = 0; time < 4; time += 1) await expect(send({ to: 'a@example.com' })).rejects.toThrow();
    await call('POST', '/mail/faults', { mode: 'none' });
    await send({ to: 'a@example.com' });
    expect(await inbox()).toHaveLength(1);
  });

  it('slow the server down: patient clients are served, and abandoned mail never arrives', async () => {
    await call('POST', '/mail/faults', { mode: 'slow', delayMs: 400, count: 2 });
    const begin = performance.now();
    await send({ to: 'patient@example.com' });
    expect(performance.now() - begin).toBeGreaterThanOrEqual(390);
    const hasty = createTransport({ ...addressOf(sandbox), socketTimeout: 100 });
    await expect(hasty.sendMail({ from: 'x@yiqiao.test', to: 'hasty@example.com', text: 'x' })).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await inbox()).map((mail) => mail.to)).toEqual(['patient@example.com']);
  });

  it.each([
    {},
    { mode: 'broken' },
    { mode: 'refuse', count: '2' },
    { mode: 'refuse', count: 0 },
    { mode: 'none', x: 1 },
  ])('reject invalid values: %j', async (body) => {
    expect((await call('POST', '/mail/faults', body)).status).toBe(400);
  });
});

function addressOf({ smtpAddress }: Sandbox): { host: string; port: number } {
  const [host = '', port = ''] = smtpAddress.split(':');
  return { host, port: Number(port) };
}
