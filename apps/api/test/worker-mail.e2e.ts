/** The worker's mail: it delays no other jobs, and shutdown waits for mail in flight (docs/decisions/0003). */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { EntityManager } from '@mikro-orm/postgresql';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { sendVCode } from '@yiqiao/contracts/login';
import { Outbox } from '../src/platform/outbox.js';
import { Live } from '../src/platform/live.js';
import { NOTICES_TOPIC } from '../src/notices/publish-notices.js';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { makeMain } from './support/family.js';
import { freshName, mailsTo } from './support/test-members.js';
import { waitUntil } from './support/wait-until.js';
import { startWorker } from './support/worker.js';

const REMINDERS = 200;

let api: TestApi;
let worker: Awaited<ReturnType<typeof startWorker>> | undefined;
/** A proxy before the mail server. While it is closed, connections wait. */
let proxy: Server;
let opened: (() => void) | undefined;
let untilOpen: Promise<void>;
/** Recipients in the order of their mails. */
let recipients: string[];
let connections: number;
/** Connections that were closed while the proxy was closed. */
let aborted: number;

const close = (): void => {
  untilOpen = new Promise((resolve) => (opened = resolve));
};

const accept = async (socket: Socket): Promise<void> => {
  connections++;
  const onAbort = (): void => void aborted++;
  socket.on('error', () => undefined).once('close', onAbort);
  await untilOpen;
  socket.off('close', onAbort);
  const { hostname, port } = new URL(process.env['SMTP_URL'] ?? '');
  const mail = connect(Number(port), hostname).on('error', () => undefined);
  socket.on('data', (bytes: Buffer) => {
    const to = /^RCPT TO:<([^>]+)>/im.exec(bytes.toString())?.[1];
    if (to) recipients.push(to);
  });
  socket.pipe(mail).pipe(socket);
};

beforeAll(async () => {
  proxy = createServer((socket) => void accept(socket));
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  api = await startApi({ SMTP_URL: `smtp://127.0.0.1:${(proxy.address() as AddressInfo).port}` });
});
beforeEach(() => {
  [recipients, connections, aborted] = [[], 0, 0];
  close();
});
afterEach(async () => {
  opened?.();
  await worker?.stop();
  worker = undefined;
});
afterAll(async () => {
  await api.stop();
  proxy.close();
});

const record = (event: Parameters<Outbox['record']>[1]): Promise<void> =>
  api.app.get(Outbox).record(api.app.get(EntityManager).fork(), event);

const openEvents = async (type: string): Promise<number> => {
  const { rowCount } = await api.db.query(`SELECT FROM outbox WHERE fact->>'type' = $1 AND done_at IS NULL`, [type]);
  return rowCount ?? 0;
};

it('a notice is not delayed by 200 reminders, and interactive mail is sent before them', async () => {
  const main = await makeMain(api);
  const { rows } = await api.db.query<{ id: number }>(
    `INSERT INTO reminder (user_id, family_id, char_num, least)
     SELECT $1, $1, 1, 2 FROM generate_series(1, ${REMINDERS}) RETURNING id::int AS id`,
    [main.session.userId],
  );
  for (const { id } of rows) await record({ type: 'ReminderDue', reminderId: id });
  let received = 0;
  const stop = await api.app.get(Live).listen(NOTICES_TOPIC, () => received++);
  worker = await startWorker(api.env);
  await waitUntil(
    () => Promise.resolve(connections),
    (count) => count > 0,
  );
  await record({ type: 'NoticeChanged', noticeId: 1, startsAt: Date.now() + 3600_000, endsAt: null });
  await waitUntil(
    () => Promise.resolve(received),
    (count) => count > 0,
  );
  expect([recipients.length, aborted, await openEvents('ReminderDue')]).toEqual([0, 0, REMINDERS]);

  const account = `${freshName()}@example.com`;
  await new TestClient(api.url).call(sendVCode, { account });
  // It is queued before the first reminder has been sent.
  await waitUntil(
    async () =>
      (await api.db.query(`SELECT FROM outbox WHERE fact->>'type' = 'VerificationCodeIssued' AND relayed_at IS NULL`))
        .rowCount,
    (waiting) => waiting === 0,
  );
  opened?.();
  await waitUntil(
    () => openEvents('ReminderDue'),
    (count) => count === 0,
  );
  expect(recipients).toHaveLength(REMINDERS + 1);
  expect(recipients.indexOf(account)).toBeLessThan(REMINDERS / 4);
  stop();
});

it('a worker that is stopped while it sends a mail completes it, marks it sent, and logs no warning', async () => {
  const warnings: unknown[] = [];
  worker = await startWorker(api.env);
  const quiet = { log: () => undefined, error: (message: unknown) => warnings.push(message) };
  Logger.overrideLogger({ ...quiet, warn: (message: unknown) => warnings.push(message) });
  const account = `${freshName()}@example.com`;
  await new TestClient(api.url).call(sendVCode, { account });
  await waitUntil(
    () => Promise.resolve(connections),
    (count) => count > 0,
  );
  const stopped = worker.stop();
  worker = undefined;
  // A worker that does not wait would have closed everything by then.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  opened?.();
  await stopped;
  expect(await mailsTo(account)).toHaveLength(1);
  expect([await openEvents('VerificationCodeIssued'), warnings]).toEqual([0, []]);
});
