import { type Difference, ENTRY_TYPES, type Quota } from '@yiqiao/domain/ledger';
import { ENTRY_COLUMN as C, type StoredCounters } from './audit-rows.js';
import { type Calendar, dayText } from './calendar.js';
import type { CopyRows } from './copy-rows.js';
import { differ } from './entry-replay.js';

const [TEXT, VOICE, OTHER] = [
  ENTRY_TYPES.TRANSLATION_CONSUME.code,
  ENTRY_TYPES.VOICE_CONSUME.code,
  ENTRY_TYPES.OTHER.code,
];
const UNITS = { charNum: 'characters', voiceNum: 'voice', imageNum: 'images' } as const;
const nothing = (): Quota => ({ charNum: 0, voiceNum: 0, imageNum: 0 });

/**
 * Compares the counters that caps are checked against with the entries of one account. A counter that is too low would let a key spend more
 * than its owner allowed, although every entry and the balance are right.
 */
export class CapReplay {
  readonly #keys = new Map<string, number>();
  readonly #own: StoredCounters['own'];
  readonly #used = { day: nothing(), month: nothing() };
  /** The first day of which every entry is read. */
  readonly #from: number;

  /** `startAt`: the time of the entry after which entries are read, ms. */
  constructor(
    private readonly counters: StoredCounters,
    private readonly calendar: Calendar,
    startAt?: number,
  ) {
    this.#own = counters.own;
    this.#from = startAt === undefined ? -Infinity : calendar.dayOf(startAt) + 1;
  }

  /** The current entry, with time `at` (ms). */
  follow(entries: CopyRows, at: number): void {
    const ofKey = !entries.isNull(C.apiKeyId);
    if (!ofKey && !this.#own) return;
    const day = this.calendar.dayOf(at);
    if (ofKey) {
      const key = keyOf(entries.int(C.apiKeyId), day);
      this.#keys.set(key, (this.#keys.get(key) ?? 0) - entries.int(C.charChange));
    }
    if (!this.#own) return;
    if (day === this.#own.day[0]) addCharge(this.#used.day, entries);
    if (day >= this.#own.month[0]) addCharge(this.#used.month, entries);
  }

  differences(): Difference[] {
    const wrong: (Difference | null)[] = [];
    for (const [apiKeyId, day, found] of this.counters.keys) {
      const key = keyOf(apiKeyId, day);
      if (day >= this.#from) wrong.push(ofKey(key, this.#keys.get(key) ?? 0, found));
      this.#keys.delete(key);
    }
    for (const [key, expected] of this.#keys) if (dayIn(key) >= this.#from) wrong.push(ofKey(key, expected, 0));
    for (const period of ['day', 'month'] as const) {
      const [first, found] = this.#own?.[period] ?? [-Infinity, nothing()];
      if (!this.#own || first < this.#from) continue;
      const name = period === 'day' ? dayText(first) : dayText(first).slice(0, 7);
      for (const unit of Object.keys(UNITS) as (keyof Quota)[])
        wrong.push(
          differ(`${CAP_COUNTER} of the account, ${name}: ${UNITS[unit]}`, this.#used[period][unit], found[unit]),
        );
    }
    return wrong.filter((each) => each !== null);
  }
}

/** What the field of these differences begins with. */
export const CAP_COUNTER = 'cap counter';

const keyOf = (apiKeyId: number, day: number): string => `${apiKeyId} ${day}`;
const dayIn = (key: string): number => Number(key.split(' ')[1]);

function ofKey(key: string, expected: number, found: number): Difference | null {
  const [apiKeyId] = key.split(' ');
  return differ(`${CAP_COUNTER} of API key ${apiKeyId}, ${dayText(dayIn(key))}: characters`, expected, found);
}

/** The entries that caps of an account count: those that the writer makes of a hold. */
function addCharge(used: Quota, entries: CopyRows): void {
  const type = entries.int(C.type);
  if (type === TEXT) used.charNum -= entries.int(C.charChange);
  else if (type === VOICE) used.voiceNum -= entries.int(C.voiceChange);
  else if (type === OTHER && entries.int(C.imageChange) < 0) used.imageNum -= entries.int(C.imageChange);
}
