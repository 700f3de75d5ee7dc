import { DAY_MS } from '@yiqiao/domain/limits';

/** No time zone changes its offset within a slot. */
const SLOT_MS = 30 * 60_000;

/** Calendar days of a time zone, in days since 1970. */
export class Calendar {
  readonly #slots = new Map<number, number>();
  readonly #format: Intl.DateTimeFormat;
  #slot = -1;
  #offset = 0;

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  }

  dayOf(ms: number): number {
    const slot = Math.floor(ms / SLOT_MS);
    if (slot !== this.#slot) {
      this.#slot = slot;
      this.#offset = this.#slots.get(slot) ?? this.#offsetAt(slot);
    }
    return Math.floor((ms + this.#offset) / DAY_MS);
  }

  #offsetAt(slot: number): number {
    const name = this.#format.formatToParts(slot * SLOT_MS).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
    const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
    this.#slots.set(slot, offset);
    return offset;
  }
}

/** The date of a day since 1970. */
export const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
