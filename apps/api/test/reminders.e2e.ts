/** Warnings of a low balance and of a package that ends: one letter for each crossing (docs/decisions/0022). */
import { connect, createServer, type Server } from 'node:net';
import { EntityManager } from '@mikro-orm/postgresql';
import { CommandBus } from '@nestjs/cqrs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { login } from '@yiqiao/contracts/login';
import { changeReminders } from '@yiqiao/contracts/reminders';
import { deleteUser, getUser } from '@yiqiao/contracts/user';
import { Members } from '../src/members/members.js';
import { SendReminder } from '../src/members/reminders/send-reminder.js';
import { WatchBalances } from '../src/members/reminders/watch-balances.js';
import { Passwords } from '../src/platform/passwords.js';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { buyPackage, makeMain, makeSub, setChars } from './support/family.js';
import { lettersTo, type Person } from './support/people.js';
import { spawnProgram } from './support/process.js';
import { until } from './support/until.js';
import { startWorker } from './support/worker.js';

/** A package of characters and one of time. */
const STANDARD = 2;
const MONTHLY = 7;

let api: TestApi;
let worker: Awaited<ReturnType<typeof startWorker>>;
/** Stands before the mail server and hangs up on the first callers. */
let line: Server;
let hangUps = 0;

beforeAll(async () => {
  const server = new URL(process.env['SMTP_URL'] ?? '');
  line = createServer((socket) => {
    if (hangUps > 0) {
      hangUps--;
      socket.destroy();
      return;
    }
    const mail = connect(Number(server.port), server.hostname);
    for (const end of [socket, mail]) end.on('error', () => undefined);
    socket.pipe(mail).pipe(socket);
  });
  await new Promise<void>((ready) => line.listen(0, '127.0.0.1', ready));
  const { port } = line.address() as { port: number };
  api = await startApi({ SMTP_URL: `smtp://127.0.0.1:${port}`, PUBLIC_URL: 'https://yiqiao.example' });
  worker = await startWorker(api.env);
});
afterEach(() => {
  hangUps = 0;
});
afterAll(async () => {
  await worker.stop();
  await api.stop();
  line.close();
});

const watch = (): Promise<void> => api.app.get(CommandBus).execute(new WatchBalances());
const want = (who: Person, lowCharNum: number, expiryDays = 0, byMail: 0 | 1 = 1): Promise<true> =>
  who.client.call(changeReminders, { lowCharNum, expiryDays, byMail });
const chars = (who: Person, charNum: number): Promise<unknown> => setChars(api, who.session.userId, charNum);

type Told = { id: number; charNum: number | null; least: number | null; expireAt: Date | null };

/** The letters that were decided on, oldest first, whether they are sent yet or not. */
const toldOf = async (who: Person): Promise<Told[]> => {
  const { rows } = await api.db.query<Told>(
    `SELECT id::int, char_num::int AS "charNum", least::int, expire_at AS "expireAt" FROM reminder WHERE user_id = $1 ORDER BY id`,
    [who.session.userId],
  );
  return rows;
};

/** All that was told has been delivered: no letter is still to come. */
const delivered = (): Promise<unknown> =>
  until(
    async () =>
      (await api.db.query(`SELECT FROM outbox WHERE fact->>'type' = 'ReminderDue' AND done_at IS NULL`)).rowCount,
    (open) => open === 0,
  );

const lettersOf = async (who: Person): Promise<{ subject: string; text: string; html: string }[]> => {
  await delivered();
  return lettersTo(who.account, 0);
};

/** A new main account under the names of one that is gone, signed in. */
const foundAgain = async (gone: Person): Promise<Person> => {
  const { username, account: email, password } = gone;
  const passwordHash = await api.app.get(Passwords, { strict: false }).hash(password);
  const names = { username, email, nickname: username, passwordHash, inviteCode: undefined };
  const members = api.app.get(Members, { strict: false });
  await api.app
    .get(EntityManager)
    .fork()
    .transactional((em) => members.createMain(em, names));
  const session = await new TestClient(api.url).call(login, { account: username, password });
  return { ...gone, session, client: gone.client.as(session) };
};

describe('what a member wants', () => {
  it('is proposed until it says so, whole, and kept', async () => {
    const main = await makeMain(api);
    const reminders = async () => (await main.client.call(getUser, {})).reminders;
    expect(await reminders()).toEqual({ lowCharNum: 1_000, expiryDays: 3, byMail: 1 });
    await want(main, 0, 90, 0);
    expect(await reminders()).toEqual({ lowCharNum: 0, expiryDays: 90, byMail: 0 });
  });

  it.each([
    [{ lowCharNum: -1, expiryDays: 3, byMail: 1 }],
    [{ lowCharNum: 1_000_000_000_001, expiryDays: 3, byMail: 1 }],
    [{ lowCharNum: 1.5, expiryDays: 3, byMail: 1 }],
    [{ lowCharNum: '10', expiryDays: 3, byMail: 1 }],
    [{ lowCharNum: 10, expiryDays: 91, byMail: 1 }],
    [{ lowCharNum: 10, expiryDays: 3, byMail: 2 }],
    [{ lowCharNum: 10, expiryDays: 3 }],
    [{}],
    [{ lowCharNum: 10, expiryDays: 3, byMail: 1, userId: 1 }],
  ])('is refused: %j', async (input) => {
    const main = await makeMain(api);
    expect(await main.client.send(changeReminders, input)).toMatchObject({ status: 422 });
    expect((await main.client.call(getUser, {})).reminders.lowCharNum).toBe(1_000);
  });

  it('of a sub-account is its own, without letters: it has no mailbox', async () => {
    const main = await makeMain(api);
    const sub = await makeSub(api, main, 10);
    const refused = await sub.client.send(changeReminders, { lowCharNum: 20, expiryDays: 5, byMail: 1 });
    expect(refused).toMatchObject({ status: 422, body: { code: 'NO_MAILBOX' } });
    await want(sub, 20, 5, 0);
    expect((await sub.client.call(getUser, {})).reminders).toEqual({ lowCharNum: 20, expiryDays: 5, byMail: 0 });
    expect((await main.client.call(getUser, {})).reminders.lowCharNum).toBe(1_000);
    await watch();
    expect(await toldOf(sub)).toEqual([]);
    expect(await toldOf(main)).toEqual([]);
  });
});

describe('a low balance', () => {
  it('is told by one letter in both languages, with the way to recharge', async () => {
    const main = await makeMain(api);
    await want(main, 4_000);
    await watch();
    expect(await toldOf(main)).toEqual([]);
    await chars(main, 3_999);
    for (let turn = 0; turn < 3; turn++) await watch();
    const [letter, ...more] = await lettersOf(main);
    expect(more).toEqual([]);
    expect(letter?.subject).toMatch(/余额提醒.*balance is low/);
    expect(letter?.text).toContain('剩余 3,999 字符，低于您设定的 4,000 字符');
    expect(letter?.text).toContain('https://yiqiao.example/UserCenterRecharge');
    for (const name of [main.username, main.account]) expect(letter?.text).not.toContain(name);
    await chars(main, 10);
    await watch();
    expect(await lettersOf(main)).toHaveLength(1);
  });

  it('is told at the proposed bound to who never said anything, but not to who never had more', async () => {
    const [main, once] = [await makeMain(api), await makeMain(api)];
    await chars(main, 999);
    await once.client.call(deleteUser, { userPassword: once.password });
    // The mailbox had its trial before, so it begins with nothing.
    const poor = await foundAgain(once);
    await watch();
    expect(await toldOf(main)).toMatchObject([{ charNum: 999, least: 1_000 }]);
    expect(await toldOf(poor)).toEqual([]);
    await want(poor, 10);
    await watch();
    expect(await toldOf(poor)).toMatchObject([{ charNum: 0, least: 10 }]);
  });

  it('is told again after it was refilled, even for a moment between two turns', async () => {
    const main = await makeMain(api);
    await want(main, 4_000);
    await chars(main, 100);
    await watch();
    await chars(main, 4_000);
    await watch();
    expect(await toldOf(main)).toHaveLength(1);
    await chars(main, 200);
    await watch();
    await chars(main, 9_000);
    await chars(main, 300);
    await watch();
    await chars(main, 310);
    await watch();
    expect(await toldOf(main)).toMatchObject([{ charNum: 100 }, { charNum: 200 }, { charNum: 300 }]);
    expect(await lettersOf(main)).toHaveLength(3);
  });

  it('is told of a bound that was raised over the balance, not of one that only moved above it', async () => {
    const main = await makeMain(api);
    await want(main, 6_000);
    await watch();
    expect(await toldOf(main)).toMatchObject([{ charNum: 5_000, least: 6_000 }]);
    await want(main, 7_000);
    await watch();
    expect(await toldOf(main)).toHaveLength(1);
    await want(main, 4_000);
    await want(main, 8_000);
    await watch();
    expect(await toldOf(main)).toMatchObject([{ least: 6_000 }, { least: 8_000 }]);
  });

  it('is told by no letter when letters are off, and not afterwards either', async () => {
    const main = await makeMain(api);
    await want(main, 4_000, 0, 0);
    await chars(main, 10);
    await watch();
    await want(main, 4_000, 0, 1);
    await watch();
    expect(await lettersOf(main)).toEqual([]);
    await chars(main, 5_000);
    await chars(main, 20);
    await watch();
    expect(await lettersOf(main)).toHaveLength(1);
  });

  it('is never told at 0, in time mode, or of an account that is closed', async () => {
    const [off, timed, gone] = [await makeMain(api), await makeMain(api), await makeMain(api)];
    await want(off, 0);
    await buyPackage(api, timed, MONTHLY);
    await want(timed, 4_000);
    await want(gone, 6_000);
    await gone.client.call(deleteUser, { userPassword: gone.password });
    for (const who of [off, timed]) await chars(who, 0);
    await watch();
    for (const who of [off, timed, gone]) expect(await toldOf(who)).toEqual([]);
  });

  it('is told once when several turns run at the same time', async () => {
    const people = await Promise.all([1, 2, 3, 4].map(() => makeMain(api)));
    for (const who of people) await chars(who, 5);
    await Promise.all([1, 2, 3, 4, 5, 6].map(watch));
    for (const who of people) expect(await toldOf(who)).toHaveLength(1);
  });
});

describe('a package that ends', () => {
  it('is told once, and once more when the new end comes near', async () => {
    const main = await makeMain(api);
    await want(main, 0, 29);
    await watch();
    expect(await toldOf(main)).toEqual([]);
    await want(main, 0, 31);
    for (let turn = 0; turn < 2; turn++) await watch();
    await buyPackage(api, main, STANDARD);
    await watch();
    expect(await toldOf(main)).toHaveLength(1);
    await want(main, 0, 61);
    for (let turn = 0; turn < 2; turn++) await watch();
    const { memberAccount } = await main.client.call(getUser, {});
    const letters = await lettersOf(main);
    expect(letters).toHaveLength(2);
    for (const { subject } of letters) expect(subject).toMatch(/即将到期.*ends soon/);
    const last = `将于 ${memberAccount.expireDateTime} 到期`;
    expect(letters.filter(({ text }) => text.includes(last))).toHaveLength(1);
  });

  it('is told in time mode, too; never at 0 days', async () => {
    const [timed, off] = [await makeMain(api), await makeMain(api)];
    await buyPackage(api, timed, MONTHLY);
    await want(timed, 0, 90);
    await want(off, 0, 0);
    await watch();
    expect(await toldOf(timed)).toMatchObject([{ expireAt: expect.any(Date), least: null }]);
    expect(await toldOf(off)).toEqual([]);
  });

  it('is told anew when fewer days are wanted than were told of', async () => {
    const main = await makeMain(api);
    await want(main, 0, 40);
    await watch();
    await want(main, 0, 20);
    await watch();
    expect(await toldOf(main)).toHaveLength(1);
    await want(main, 0, 40);
    await watch();
    expect(await toldOf(main)).toHaveLength(2);
  });
});

describe('its letter', () => {
  const low = async (who: Person): Promise<number> => {
    await chars(who, 1);
    await watch();
    return (await toldOf(who))[0]?.id ?? 0;
  };
  const send = (reminderId: number): Promise<void> => api.app.get(CommandBus).execute(new SendReminder(reminderId));

  it('comes after the mail server failed, once', async () => {
    const main = await makeMain(api);
    hangUps = 2;
    await low(main);
    expect(await lettersOf(main)).toHaveLength(1);
    expect(hangUps).toBe(0);
  });

  it('is not sent again by a job that is run again, as after a crash, nor by several at once', async () => {
    const main = await makeMain(api);
    const id = await low(main);
    await Promise.all([1, 2, 3, 4].map(() => send(id)));
    expect(await lettersOf(main)).toHaveLength(1);
    await send(id);
    expect(await lettersOf(main)).toHaveLength(1);
  });

  it('is not sent again after the worker died with the letter just handed over', async () => {
    // Without the worker of this suite: the one that dies has to be the one that sends.
    const alone = await startApi({ PUBLIC_URL: 'https://yiqiao.example' });
    try {
      const main = await makeMain(alone);
      await setChars(alone, main.session.userId, 1);
      await alone.app.get(CommandBus).execute(new WatchBalances());
      const doomed = spawnProgram('worker', { ...alone.env, FAILPOINT: 'after-letter' });
      expect(await doomed.exited).toBe(137);
      expect(await lettersTo(main.account)).toHaveLength(1);
      const { rows } = await alone.db.query<{ id: number; done: boolean }>(
        `SELECT (fact->>'reminderId')::int AS id, done_at IS NOT NULL AS done FROM outbox WHERE fact->>'type' = 'ReminderDue'`,
      );
      expect(rows).toEqual([{ id: expect.any(Number), done: false }]);
      await alone.app.get(CommandBus).execute(new SendReminder(rows[0]?.id ?? 0));
      await alone.app.get(CommandBus).execute(new WatchBalances());
      expect(await lettersTo(main.account)).toHaveLength(1);
      expect((await alone.db.query('SELECT FROM reminder')).rowCount).toBe(1);
    } finally {
      await alone.stop();
    }
  });

  it('is not sent to who has switched letters off, or is gone, before it could go', async () => {
    const [off, gone] = [await makeMain(api), await makeMain(api)];
    const waiting = async (who: Person): Promise<number> => {
      const { rows } = await api.db.query<{ id: number }>(
        'INSERT INTO reminder (user_id, family_id, expire_at) VALUES ($1, $1, now()) RETURNING id::int',
        [who.session.userId],
      );
      return rows[0]?.id ?? 0;
    };
    const ids = [await waiting(off), await waiting(gone)];
    await want(off, 0, 0, 0);
    await gone.client.call(deleteUser, { userPassword: gone.password });
    for (const id of ids) await send(id);
    for (const who of [off, gone]) expect(await lettersOf(who)).toEqual([]);
    expect(await toldOf(gone)).toEqual([]);
  });
});
