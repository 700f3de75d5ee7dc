import { CommandBus } from '@nestjs/cqrs';
import { changeReminders } from '@yiqiao/contracts/reminders';
import { WatchBalances } from '../../src/members/reminders/watch-balances.js';
import type { TestApi } from './api.js';
import { setChars } from './family.js';
import { lettersTo, type Person } from './people.js';
import { until } from './until.js';

export type Told = { id: number; charNum: number | null; least: number | null; expireAt: Date | null };

/** What suites of reminders do and see. A worker must be running for the letters. */
export class RemindersDesk {
  constructor(private readonly api: TestApi) {}

  watch(): Promise<void> {
    return this.api.app.get(CommandBus).execute(new WatchBalances());
  }

  want(who: Person, lowCharNum: number, more: { expiryDays?: number; byMail?: 0 | 1 } = {}): Promise<true> {
    const { expiryDays = 0, byMail = 1 } = more;
    return who.client.call(changeReminders, { lowCharNum, expiryDays, byMail });
  }

  chars(who: Person, charNum: number): Promise<unknown> {
    return setChars(this.api, who.session.userId, charNum);
  }

  /** The letters that were decided on, oldest first, whether they are sent yet or not. */
  async toldOf(who: Person): Promise<Told[]> {
    const { rows } = await this.api.db.query<Told>(
      `SELECT id::int, char_num::int AS "charNum", least::int, expire_at AS "expireAt" FROM reminder WHERE user_id = $1 ORDER BY id`,
      [who.session.userId],
    );
    return rows;
  }

  /** Once none is still to come. */
  async lettersOf(who: Person): Promise<{ subject: string; text: string; html: string }[]> {
    const open = async () =>
      (await this.api.db.query(`SELECT FROM outbox WHERE fact->>'type' = 'ReminderDue' AND done_at IS NULL`)).rowCount;
    await until(open, (count) => count === 0);
    return lettersTo(who.account, 0);
  }
}
