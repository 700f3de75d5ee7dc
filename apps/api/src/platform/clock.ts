import { Injectable } from '@nestjs/common';
import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import { Config } from './config.js';

dayjs.extend(utc);
dayjs.extend(timezone);

const WIRE = 'YYYY-MM-DD HH:mm:ss';

/** Time as the wire writes it: `YYYY-MM-DD HH:mm:ss` in APP_TIMEZONE (decisions §1). */
@Injectable()
export class Clock {
  readonly #zone: string;

  constructor(config: Config) {
    this.#zone = config.env.APP_TIMEZONE;
  }

  now(): Date {
    return new Date();
  }

  toWire(date: Date): string {
    return dayjs(date).tz(this.#zone).format(WIRE);
  }

  /** `text` has been validated by the contract. */
  fromWire(text: string): Date {
    return dayjs.tz(text, this.#zone).toDate();
  }

  /** The last millisecond of the second that `text` names: a range filter includes both ends. */
  endOfWire(text: string): Date {
    return new Date(this.fromWire(text).getTime() + 999);
  }

  /** The calendar day, `YYYY-MM-DD`. */
  day(date: Date): string {
    return dayjs(date).tz(this.#zone).format('YYYY-MM-DD');
  }

  /** Whole calendar days from `earlier` to `later`. */
  daysBetween(earlier: Date, later: Date): number {
    return dayjs.utc(this.day(later)).diff(dayjs.utc(this.day(earlier)), 'day');
  }
}
