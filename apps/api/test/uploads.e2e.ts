/** Uploads are received completely and within limits, from authorised members only, and deleted after the request. */
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { translateImage } from '@yiqiao/contracts/media';
import { translateText } from '@yiqiao/contracts/translation';
import {
  IMAGE_BYTES,
  UPLOAD_BURST_BYTES,
  UPLOAD_SLOW_MS,
  UPLOAD_BYTES_PER_SECOND,
  UPLOADS_AT_ONCE,
  UPLOADS_PER_MEMBER,
} from '@yiqiao/domain/limits';
import { startApi, type TestApi } from './support/api.js';
import { headersOf } from './support/client.js';
import { makeMain, makeSub } from './support/family.js';
import { accountOf, expectNoCharge } from './support/expect-no-charge.js';
import type { TestMember } from './support/test-members.js';
import { picture, words } from './support/pictures.js';
import { waitUntil } from './support/wait-until.js';

const PATH = `${BASE_PATH}${translateImage.path}`;
const BOUNDARY = 'the-line-between';
const FIELDS = { source: 'en', target: 'es' };

let api: TestApi;
let member: TestMember;
let before: string[];

beforeAll(async () => {
  [api, before] = [await startApi(), await uploads()];
  member = await makeMain(api);
}, 120_000);
afterAll(() => api.stop());
afterEach(() => nothingIsLeft());

/** Of this process: other suites receive files at the same time. */
const uploads = async (): Promise<string[]> =>
  (await readdir(tmpdir())).filter((name) => name.startsWith(`yiqiao-upload-${process.pid}-`));

const nothingIsLeft = () => waitUntil(uploads, (names) => names.every((name) => before.includes(name)));

const part = (name: string, content: string, file?: string): string => {
  const named = file === undefined ? '' : `; filename="${file}"\r\nContent-Type: image/png`;
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${named}\r\n\r\n${content}\r\n`;
};
const fields = Object.entries(FIELDS).map(([name, value]) => part(name, value));
const END = `--${BOUNDARY}--\r\n`;

/** Sends this body unchanged as a form. */
async function sent(
  body: RequestInit['body'],
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> {
  const type = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  const init = { method: 'POST', body, headers: { ...headersOf(member.session), ...type, ...headers }, duplex: 'half' };
  const answer = await fetch(`${api.url}${PATH}`, init as RequestInit);
  return { status: answer.status, body: await answer.json() };
}

const refused = (work: () => Promise<{ status: number; body: unknown }>) => expectNoCharge(api, member, work);

describe('a form', () => {
  const broken: [string, string, { status: number; code: string }][] = [
    ['without a file', fields.join('') + END, { status: 422, code: 'VALIDATION_FAILED' }],
    ['with two files', fields.join('') + part('file', 'x', 'a') + part('file', 'y', 'b') + END, malformed()],
    ['with a file of another name', fields.join('') + part('picture', 'x', 'a') + END, unknown()],
    ['with a field that nobody knows', fields.join('') + part('size', '3') + part('file', 'x', 'a') + END, unknown()],
    ['with a field twice', fields.join('') + part('source', 'fr') + part('file', 'x', 'a') + END, unknown()],
    ['with too many fields', part('a', '1').repeat(20) + END, { status: 422, code: 'UNKNOWN_FIELD' }],
    ['that breaks off', fields.join('') + part('file', 'x', 'a').slice(0, -20), malformed()],
    ['of nothing', '', { status: 422, code: 'VALIDATION_FAILED' }],
    ['of something else', 'this is no form at all', malformed()],
  ];
  function malformed() {
    return { status: 400, code: 'MALFORMED_UPLOAD' };
  }
  function unknown() {
    return { status: 422, code: 'UNKNOWN_FIELD' };
  }
  it.each(broken)('%s is refused', async (_, body, { status, code }) => {
    const answer = await refused(() => sent(body));
    expect(answer).toMatchObject({ status, body: { success: false, code } });
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'size', ''])(
    'with an unknown field %j is refused by its name, before and after the file, as text and as a file',
    async (name) => {
      const file = part('file', 'x', 'a');
      for (const parts of [
        [part(name, 'x'), ...fields, file],
        [...fields, file, part(name, 'x')],
        [...fields, part(name, 'x', 'a')],
      ]) {
        const answer = await refused(() => sent(parts.join('') + END));
        expect(answer).toMatchObject({ status: 422, body: { code: 'UNKNOWN_FIELD', errors: [{ path: name }] } });
      }
    },
  );

  it('is read at a rate that leaves CPU time to others', async () => {
    const megabytes = 4;
    const file = part('file', 'x'.repeat(megabytes * 1024 * 1024), 'a');
    const began = performance.now();
    const answer = await refused(() => sent(fields.join('') + file + END));
    expect(answer).toMatchObject({ status: 422, body: { code: 'NOT_AN_IMAGE' } });
    const paced = (megabytes * 1024 * 1024 - UPLOAD_BURST_BYTES) / UPLOAD_BYTES_PER_SECOND;
    expect((performance.now() - began) / 1_000).toBeGreaterThan(0.9 * paced);
  });

  it('is accepted only where forms are expected, and JSON where JSON is', async () => {
    const json = await refused(() => member.client.send(translateImage, FIELDS));
    expect(json).toMatchObject({ status: 415, body: { code: 'UPLOAD_EXPECTED' } });
    const form = await refused(() => member.client.upload(translateText, { ...FIELDS, text: 'x' }, Buffer.from('x')));
    expect(form).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
  });

  it('is not read without signing in', async () => {
    const answer = await fetch(`${api.url}${PATH}`, {
      method: 'POST',
      body: fields.join('') + part('file', 'x', 'a') + END,
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    });
    expect(answer.status).toBe(401);
  });
});

describe('a file that is too large', () => {
  const head = `${fields.join('')}--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`;

  it('is refused before it is sent if its length is declared', async () => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    const lines = Object.entries({
      ...headersOf(member.session),
      host: 'localhost',
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': String(IMAGE_BYTES * 20),
    }).map(([name, value]) => `${name}: ${value}`);
    socket.write(`POST ${PATH} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${head}`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 [^]*FILE_TOO_LARGE/);
  });

  it.each([1, 200_000])('is refused while it is sent if its length is not declared', async (more) => {
    const body = new ReadableStream({
      start(out) {
        out.enqueue(Buffer.from(head));
        const chunk = Buffer.alloc(64 * 1024, 'x');
        for (let left = IMAGE_BYTES + more; left > 0; left -= chunk.length) out.enqueue(chunk.subarray(0, left));
        out.enqueue(Buffer.from(`\r\n${END}`));
        out.close();
      },
    });
    expect(await refused(() => sent(body))).toMatchObject({ status: 413, body: { code: 'FILE_TOO_LARGE' } });
  });

  it('may have exactly the maximum size, and is then rejected as no picture', async () => {
    const answer = await refused(() => member.client.upload(translateImage, FIELDS, Buffer.alloc(IMAGE_BYTES, 'x')));
    expect(answer).toMatchObject({ status: 422, body: { code: 'NOT_AN_IMAGE' } });
  });
});

describe('a response to a disconnected client', () => {
  it('is charged as usual, and is not logged as our error', async () => {
    const faults: unknown[] = [];
    const quiet = () => undefined;
    Logger.overrideLogger({ log: quiet, warn: quiet, error: (what: unknown) => void faults.push(what) });
    const file = await picture(words({ x: 40, y: 90, size: 48, text: 'The house is big' }), {
      width: 600,
      height: 160,
    });
    const form = new FormData();
    for (const [name, value] of Object.entries(FIELDS)) form.set(name, value);
    form.set('file', new Blob([new Uint8Array(file)]), 'a.png');
    const leaving = new AbortController();
    const before = await accountOf(api, member);
    const init = { method: 'POST', body: form, headers: headersOf(member.session), signal: leaving.signal };
    const answer = fetch(`${api.url}${PATH}`, init).catch(() => 'gone');
    const account = () => accountOf(api, member);
    await waitUntil(account, ({ holds }) => holds === 1);
    leaving.abort();
    expect(await answer).toBe('gone');
    await waitUntil(account, ({ holds }) => holds === 0);
    // The parts were read one after the other: those read before the hold was released may be stale.
    const after = await account();
    expect([after.entries, after.lines]).toEqual([before.entries + 1, before.lines + 1]);
    await nothingIsLeft();
    // The response is written when the folder is removed.
    await new Promise((resolve) => setTimeout(resolve, 300));
    Logger.overrideLogger(false);
    expect(faults).toEqual([]);
  }, 60_000);
});

describe('upload slots', () => {
  /** An unfinished form: it holds a slot until it is cut off. */
  async function begun(who: TestMember, at: Pick<TestApi, 'url'> = api) {
    const socket = connect(Number(new URL(at.url).port), '127.0.0.1').on('error', () => undefined);
    const ended = once(socket, 'close');
    const lines = Object.entries({
      ...headersOf(who.session),
      host: 'localhost',
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': '100000',
    }).map(([name, value]) => `${name}: ${value}`);
    const answer = once(socket, 'data').then(([data]) => String(data));
    answer.catch(() => undefined);
    socket.write(`POST ${PATH} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${fields.join('')}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
    return { cut: () => socket.destroy(), write: (text: string) => void socket.write(text), answer, ended };
  }
  const readable = () => member.client.upload(translateImage, FIELDS, Buffer.from('no picture'));
  /** Begins more uploads until all slots are held: a question that overtakes one takes its slot for a moment, and it is refused. */
  const untilRefused = (status: number, asked: typeof readable, more: () => Promise<unknown>) =>
    waitUntil(
      async () => {
        await more();
        return asked();
      },
      (answer) => answer.status === status,
    );

  it('are freed by disconnected clients, with everything received', async () => {
    const all = [];
    for (let n = 1; n < UPLOADS_PER_MEMBER; n++) all.push(await begun(member));
    await untilRefused(429, readable, async () => all.push(await begun(member)));
    for (const { cut } of all) cut();
    await waitUntil(readable, ({ status }) => status === 422);
    await nothingIsLeft();
  });

  it('that two members block with stalled uploads do not affect a third', async () => {
    const [one, two] = [await makeMain(api), await makeMain(api)];
    const all = await Promise.all([one, two].flatMap((who) => Array.from({ length: 8 }, () => begun(who))));
    for (let n = 0; n < 10; n++) expect((await readable()).status).toBe(422);
    for (const { cut } of all) cut();
  });

  it('are limited per family and address too', async () => {
    const small = await startApi({ LIMIT_UPLOADS_PER_FAMILY: '2', LIMIT_UPLOADS_PER_IP: '3', LIMIT_UPLOADS: '4' });
    try {
      const main = await makeMain(small);
      const [sub, stranger] = [await makeSub(small, main), await makeMain(small)];
      const ask = ({ client }: TestMember) => client.upload(translateImage, FIELDS, Buffer.from('no picture'));
      const held = [await begun(main, small)];
      await untilRefused(
        429,
        () => ask(sub),
        async () => held.push(await begun(main, small)),
      );
      expect((await ask(stranger)).status).toBe(422);
      const third = await makeMain(small);
      await untilRefused(
        429,
        () => ask(third),
        async () => held.push(await begun(stranger, small)),
      );
      for (const { cut } of held) cut();
      await waitUntil(
        () => ask(sub),
        ({ status }) => status === 422,
      );
    } finally {
      await small.stop();
    }
  });

  it(`are ${UPLOADS_AT_ONCE}: further uploads are told to retry`, async () => {
    const crowd = await startApi({ LIMIT_UPLOADS_PER_IP: '1000' });
    try {
      const who = await makeMain(crowd);
      const again = () => who.client.upload(translateImage, FIELDS, Buffer.from('no picture'));
      const all = [];
      for (let n = 0; n < UPLOADS_AT_ONCE; n += UPLOADS_PER_MEMBER) {
        const person = await makeMain(crowd);
        for (let own = 0; own < UPLOADS_PER_MEMBER; own++) all.push(await begun(person, crowd));
      }
      const spare = await makeMain(crowd);
      await untilRefused(503, again, async () => all.push(await begun(spare, crowd)));
      const { body, headers } = await again();
      expect(body).toMatchObject({ code: 'SERVICE_BUSY' });
      expect(headers['retry-after']).toBeDefined();
      for (const { cut } of all) cut();
      await waitUntil(again, ({ status }) => status === 422);
    } finally {
      await crowd.stop();
    }
  });

  it('are taken back from senders that stall or trickle, with an error', async () => {
    const [stalled, trickling] = [await begun(member), await begun(member)];
    const trickle = setInterval(() => trickling.write('x'.repeat(1_000)), 500);
    const began = performance.now();
    const answers = await Promise.all([stalled.answer, trickling.answer]).finally(() => clearInterval(trickle));
    expect(performance.now() - began).toBeLessThan(3 * UPLOAD_SLOW_MS);
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*connection: close[^]*UPLOAD_TOO_SLOW/i);
    await Promise.all([stalled.ended, trickling.ended]);
    expect((await readable()).status).toBe(422);
  }, 60_000);
});
