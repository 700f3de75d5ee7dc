import { CommandBus } from '@nestjs/cqrs';
import { changeReminders } from '@yiqiao/contracts/reminders';
import { WatchBalances } from '../../src/members/reminders/watch-balances.js';
import type { TestApi } from './api.js';
import { setChars } from './family.js';
import { mailsTo, type TestMember } from './test-members.js';
import { waitUntil } from './wait-until.js';

export type ReminderRow = { id: number; charNum: number | null; least: number | null; expireAt: Date | null };

/** Helpers for the reminder suites. The mails need a running worker. */
export class ReminderFixture {
  constructor(private readonly api: TestApi) {}

  watch(): Promise<void> {
    return this.api.app.get(CommandBus).execute(new WatchBalances());
  }

  setReminders(who: TestMember, lowCharNum: number, more: { expiryDays?: number; byMail?: 0 | 1 } = {}): Promise<true> {
    const { expiryDays = 0, byMail = 1 } = more;
    return who.client.call(changeReminders, { lowCharNum, expiryDays, byMail });
  }

  setChars(who: TestMember, charNum: number): Promise<unknown> {
    return setChars(this.api, who.session.userId, charNum);
  }

  /** The reminders created for a member, oldest first, sent or not. */
  async remindersOf(who: TestMember): Promise<ReminderRow[]> {
    const { rows } = await this.api.db.query<ReminderRow>(
      `SELECT id::int, char_num::int AS "charNum", least::int, expire_at AS "expireAt" FROM reminder WHERE user_id = $1 ORDER BY id`,
      [who.session.userId],
    );
    return rows;
  }

  /** The mails of a member once none is pending. */
  async mailsOf(who: TestMember): Promise<{ subject: string; text: string; html: string }[]> {
    const open = async () =>
      (await this.api.db.query(`SELECT FROM outbox WHERE fact->>'type' = 'ReminderDue' AND done_at IS NULL`)).rowCount;
    await waitUntil(open, (count) => count === 0);
    return mailsTo(who.account, 0);
  }
}
