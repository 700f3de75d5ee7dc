import { ENTRY_TYPES, type Difference } from '@yiqiao/domain/ledger';
import type pg from 'pg';
import type { ReplayState } from './anchors.js';
import { ENTRY_COLUMN as C, fromStarts, startingLater, within, type Scope, type StoredAccount } from './audit-rows.js';
import { Calendar, dayText } from './calendar.js';
import { CopyRows } from './copy-rows.js';
import { differs } from './entry-replay.js';

const VOICE = ENTRY_TYPES.VOICE_CONSUME.code;
const OTHER = ENTRY_TYPES.OTHER.code;
/** A binary date counts days from 2000. */
const DAYS_TO_2000 = 10_957;
function usageOf(scope: Scope): string {
  const all = 'SELECT user_id, day, char_num, voice_num, image_num, family_id FROM usage_day';
  const since = startingLater(scope);
  if (since)
    return fromStarts(since, `${all} WHERE user_id = a.user_id AND day >= coalesce(n.usage_day, '-infinity')`, 'day');
  return `${all} WHERE ${within(scope, 'user_id')} ORDER BY user_id, day`;
}

/** The usage per account and day, by ascending account, and the calendar of its days. */
export type UsageRows = { rows: CopyRows; calendar: Calendar };

export const openUsage = async (client: pg.ClientBase, scope: Scope, timeZone: string): Promise<UsageRows> => ({
  rows: await CopyRows.of(client, usageOf(scope), 6),
  calendar: new Calendar(timeZone),
});

type Sums = [charNum: number, voiceNum: number, imageNum: number];
const UNITS = ['characters', 'voice', 'images'];

/** Compares the daily usage of one account with its entries, as far as they are counted. */
export class UsageReplay {
  readonly #days = new Map<number, Sums>();
  #day = Number.NaN;
  #sums: Sums = [0, 0, 0];

  constructor(
    private readonly account: StoredAccount,
    private readonly usage: UsageRows,
    start?: ReplayState['usage'],
  ) {
    if (!start || start.day === null) return;
    this.#day = start.day;
    this.#sums = [...start.sums];
    this.#days.set(start.day, this.#sums);
  }

  /** What a later replay goes on from, if every entry so far is counted. */
  get carried(): ReplayState['usage'] {
    return { day: Number.isNaN(this.#day) ? null : this.#day, sums: [...this.#sums] };
  }

  /** The current entry, with number `seq` and time `at` (ms). */
  follow(entries: CopyRows, seq: number, at: number): void {
    if (seq > this.account.rolledSeq) return;
    const used = entries.int(C.usedCharNum);
    const type = entries.int(C.type);
    const image = type === OTHER ? entries.int(C.imageChange) : 0;
    if (used === 0 && type !== VOICE && !(image < 0)) return;
    const day = this.usage.calendar.dayOf(at);
    if (day !== this.#day) {
      this.#day = day;
      this.#sums = this.#days.get(day) ?? [0, 0, 0];
      this.#days.set(day, this.#sums);
    }
    this.#sums[0] += used;
    if (type === VOICE) this.#sums[1] -= entries.int(C.voiceChange);
    if (image < 0) this.#sums[2] -= image;
  }

  /** Reads the account's days from the stream. */
  async differences(): Promise<Difference[]> {
    const { userId, familyId, rolledSeq, state } = this.account;
    const wrong: Difference[] = [];
    if (rolledSeq > state.seq) wrong.push(differs('usage is counted up to entry', `≤ ${state.seq}`, rolledSeq));
    const { rows } = this.usage;
    for (; rows.live && rows.int(0) <= userId; rows.next() || (await rows.fill())) {
      if (rows.int(0) < userId) continue;
      const day = rows.int(1) + DAYS_TO_2000;
      const found: Sums = [rows.int(2), rows.int(3), rows.int(4)];
      if (rows.int(5) !== familyId) wrong.push(differs(`usage of ${dayText(day)}: familyId`, familyId, rows.int(5)));
      wrong.push(...sumDifferences(day, this.#days.get(day) ?? [0, 0, 0], found));
      this.#days.delete(day);
    }
    for (const [day, expected] of this.#days) wrong.push(...sumDifferences(day, expected, [0, 0, 0]));
    return wrong;
  }
}

const sumDifferences = (day: number, expected: Sums, found: Sums): Difference[] =>
  UNITS.flatMap((unit, i) =>
    expected[i] === found[i] ? [] : [differs(`usage of ${dayText(day)}: ${unit}`, expected[i], found[i])],
  );
