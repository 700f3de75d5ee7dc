/**
 * The gateways live in Beijing and write wall time without a zone: UTC+8 the whole year, whatever the zone of this process is.
 * A `compact` time is `yyyyMMddHHmmss`.
 */
const AHEAD_MS = 8 * 3600_000;

/** `2026-01-01 08:00:00` */
export const beijingTime = (ms: number): string => beijingIso(ms).replace('T', ' ');

/** `20260101080000` */
export const compactTime = (ms: number): string => beijingIso(ms).replaceAll(/[-:T]/g, '');

/** `2026-01-01T08:00:00+08:00` */
export const zonedTime = (ms: number): string => `${beijingIso(ms)}+08:00`;

const beijingIso = (ms: number): string => new Date(ms + AHEAD_MS).toISOString().slice(0, 19);

/** Reads either of the first two forms, or one that names its zone. Null for anything else, a thing that only a report of a payment lacks. */
export function timeOf(text: string | undefined): Date | null {
  const wall = /^(\d{4})-?(\d\d)-?(\d\d)[ T]?(\d\d):?(\d\d):?(\d\d)(?:\.\d+)?([+-]\d\d:\d\d|Z)?$/.exec(text ?? '');
  if (!wall) return null;
  const [, year, month, day, hour, minute, second, zone = '+08:00'] = wall;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  return Number.isNaN(date.getTime()) ? null : date;
}
