/** Reminder mail: one per reminder, whatever fails in between (docs/decisions/0022). */
import { CommandBus } from '@nestjs/cqrs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteUser } from '@yiqiao/contracts/user';
import { SendReminder } from '../src/members/reminders/send-reminder.js';
import { WatchBalances } from '../src/members/reminders/watch-balances.js';
import { startApi, type TestApi } from './support/api.js';
import { makeMain, setChars } from './support/family.js';
import { FlakyMailProxy } from './support/flaky-mail-proxy.js';
import { mailsTo, type TestMember } from './support/test-members.js';
import { spawnProgram } from './support/process.js';
import { ReminderFixture } from './support/reminders.js';
import { startApiWithWorker } from './support/worker.js';

let api: TestApi;
let fixture: ReminderFixture;
let proxy: FlakyMailProxy;

beforeAll(async () => {
  proxy = await FlakyMailProxy.start();
  api = await startApiWithWorker({ SMTP_URL: proxy.url, PUBLIC_URL: 'https://yiqiao.example' });
  fixture = new ReminderFixture(api);
});
afterEach(() => {
  proxy.dropsLeft = 0;
});
afterAll(async () => {
  await api.stop();
  proxy.close();
});

describe('the mail of a reminder', () => {
  const low = async (who: TestMember): Promise<number> => {
    await fixture.setChars(who, 1);
    await fixture.watch();
    return (await fixture.remindersOf(who))[0]?.id ?? 0;
  };
  const send = (reminderId: number): Promise<void> => api.app.get(CommandBus).execute(new SendReminder(reminderId));

  it('is sent once after the mail server failed', async () => {
    const main = await makeMain(api);
    proxy.dropsLeft = 2;
    await low(main);
    expect(await fixture.mailsOf(main)).toHaveLength(1);
    expect(proxy.dropsLeft).toBe(0);
  });

  it('is not sent again by a repeated job, as after a crash, or by simultaneous ones', async () => {
    const main = await makeMain(api);
    const id = await low(main);
    await Promise.all([1, 2, 3, 4].map(() => send(id)));
    expect(await fixture.mailsOf(main)).toHaveLength(1);
    await send(id);
    expect(await fixture.mailsOf(main)).toHaveLength(1);
  });

  it('is not sent again after the worker died right after sending it', async () => {
    // Without the worker of this suite: the one that dies has to be the one that sends.
    const alone = await startApi({ PUBLIC_URL: 'https://yiqiao.example' });
    try {
      const main = await makeMain(alone);
      await setChars(alone, main.session.userId, 1);
      await alone.app.get(CommandBus).execute(new WatchBalances());
      const doomed = spawnProgram('worker', { ...alone.env, FAILPOINT: 'after-mail' });
      expect(await doomed.exited).toBe(137);
      expect(await mailsTo(main.account)).toHaveLength(1);
      const { rows } = await alone.db.query<{ id: number; done: boolean }>(
        `SELECT (fact->>'reminderId')::int AS id, done_at IS NOT NULL AS done FROM outbox WHERE fact->>'type' = 'ReminderDue'`,
      );
      expect(rows).toEqual([{ id: expect.any(Number), done: false }]);
      await alone.app.get(CommandBus).execute(new SendReminder(rows[0]?.id ?? 0));
      await alone.app.get(CommandBus).execute(new WatchBalances());
      expect(await mailsTo(main.account)).toHaveLength(1);
      expect((await alone.db.query('SELECT FROM reminder')).rowCount).toBe(1);
    } finally {
      await alone.stop();
    }
  });

  it('is not sent to members who switched mail off or left before it was sent', async () => {
    const [off, gone] = [await makeMain(api), await makeMain(api)];
    const waiting = async (who: TestMember): Promise<number> => {
      const { rows } = await api.db.query<{ id: number }>(
        'INSERT INTO reminder (user_id, family_id, expire_at) VALUES ($1, $1, now()) RETURNING id::int',
        [who.session.userId],
      );
      return rows[0]?.id ?? 0;
    };
    const ids = [await waiting(off), await waiting(gone)];
    await fixture.setReminders(off, 0, { byMail: 0 });
    await gone.client.call(deleteUser, { userPassword: gone.password });
    for (const id of ids) await send(id);
    for (const who of [off, gone]) expect(await fixture.mailsOf(who)).toEqual([]);
    expect(await fixture.remindersOf(gone)).toEqual([]);
  });
});
