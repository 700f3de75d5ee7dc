/** The worker's letters: they keep nothing else waiting, and its end waits for what is in flight (docs/decisions/0003). */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { EntityManager } from '@mikro-orm/postgresql';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { sendVCode } from '@yiqiao/contracts/login';
import { Outbox } from '../src/platform/outbox.js';
import { Live } from '../src/platform/live.js';
import { NOTICES_TOPIC } from '../src/notices/tell-notices.js';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { makeMain } from './support/family.js';
import { freshName, lettersTo } from './support/people.js';
import { until } from './support/until.js';
import { startWorker } from './support/worker.js';

const REMINDERS = 200;

let api: TestApi;
let worker: Awaited<ReturnType<typeof startWorker>> | undefined;
/** Stands before the mail server. While it is shut, whoever comes waits at it. */
let door: Server;
let opened: (() => void) | undefined;
let isOpen: Promise<void>;
/** To whom letters went, in the order in which the mail server was told. */
let recipients: string[];
let callers: number;
/** Who came and went while the door was shut. */
let gaveUp: number;

const shut = (): void => {
  isOpen = new Promise((resolve) => (opened = resolve));
};

const lead = async (socket: Socket): Promise<void> => {
  callers++;
  const leave = (): void => void gaveUp++;
  socket.on('error', () => undefined).once('close', leave);
  await isOpen;
  socket.off('close', leave);
  const { hostname, port } = new URL(process.env['SMTP_URL'] ?? '');
  const mail = connect(Number(port), hostname).on('error', () => undefined);
  socket.on('data', (bytes: Buffer) => {
    const to = /^RCPT TO:<([^>]+)>/im.exec(bytes.toString())?.[1];
    if (to) recipients.push(to);
  });
  socket.pipe(mail).pipe(socket);
};

beforeAll(async () => {
  door = createServer((socket) => void lead(socket));
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  api = await startApi({ SMTP_URL: `smtp://127.0.0.1:${(door.address() as AddressInfo).port}` });
});
beforeEach(() => {
  [recipients, callers, gaveUp] = [[], 0, 0];
  shut();
});
afterEach(async () => {
  opened?.();
  await worker?.stop();
  worker = undefined;
});
afterAll(async () => {
  await api.stop();
  door.close();
});

const record = (fact: Parameters<Outbox['record']>[1]): Promise<void> =>
  api.app.get(Outbox).record(api.app.get(EntityManager).fork(), fact);

const openFacts = async (type: string): Promise<number> => {
  const { rowCount } = await api.db.query(`SELECT FROM outbox WHERE fact->>'type' = $1 AND done_at IS NULL`, [type]);
  return rowCount ?? 0;
};

it('a notice waits for none of 200 reminders, and a letter that somebody waits for goes before them', async () => {
  const main = await makeMain(api);
  const { rows } = await api.db.query<{ id: number }>(
    `INSERT INTO reminder (user_id, family_id, char_num, least)
     SELECT $1, $1, 1, 2 FROM generate_series(1, ${REMINDERS}) RETURNING id::int AS id`,
    [main.session.userId],
  );
  for (const { id } of rows) await record({ type: 'ReminderDue', reminderId: id });
  let heard = 0;
  const stop = await api.app.get(Live).listen(NOTICES_TOPIC, () => heard++);
  worker = await startWorker(api.env);
  await until(
    () => Promise.resolve(callers),
    (count) => count > 0,
  );
  await record({ type: 'NoticeChanged', noticeId: 1, startsAt: Date.now() + 3600_000, endsAt: null });
  await until(
    () => Promise.resolve(heard),
    (count) => count > 0,
  );
  expect([recipients.length, gaveUp, await openFacts('ReminderDue')]).toEqual([0, 0, REMINDERS]);

  const account = `${freshName()}@example.com`;
  await new TestClient(api.url).call(sendVCode, { account });
  // In the queue before the first reminder is through.
  await until(
    async () =>
      (await api.db.query(`SELECT FROM outbox WHERE fact->>'type' = 'VerificationCodeIssued' AND relayed_at IS NULL`))
        .rowCount,
    (waiting) => waiting === 0,
  );
  opened?.();
  await until(
    () => openFacts('ReminderDue'),
    (count) => count === 0,
  );
  expect(recipients).toHaveLength(REMINDERS + 1);
  expect(recipients.indexOf(account)).toBeLessThan(REMINDERS / 4);
  stop();
});

it('a worker that is stopped in the middle of a letter sends it, says so, and complains of nothing', async () => {
  const warnings: unknown[] = [];
  worker = await startWorker(api.env);
  const quiet = { log: () => undefined, error: (said: unknown) => warnings.push(said) };
  Logger.overrideLogger({ ...quiet, warn: (said: unknown) => warnings.push(said) });
  const account = `${freshName()}@example.com`;
  await new TestClient(api.url).call(sendVCode, { account });
  await until(
    () => Promise.resolve(callers),
    (count) => count > 0,
  );
  const stopped = worker.stop();
  worker = undefined;
  // A worker that does not wait has closed everything by then.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  opened?.();
  await stopped;
  expect(await lettersTo(account)).toHaveLength(1);
  expect([await openFacts('VerificationCodeIssued'), warnings]).toEqual([0, []]);
});
