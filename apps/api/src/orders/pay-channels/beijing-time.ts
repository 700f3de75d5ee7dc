/**
 * Gateways write Beijing time without a zone: UTC+8 all year, whatever the time zone of this process.
 */
const OFFSET_MS = 8 * 3600_000;

/** `2026-01-01 08:00:00` */
export const beijingTime = (ms: number): string => beijingIso(ms).replace('T', ' ');

/** `20260101080000` */
export const compactTime = (ms: number): string => beijingIso(ms).replaceAll(/[-:T]/g, '');

/** `2026-01-01T08:00:00+08:00` */
export const zonedTime = (ms: number): string => `${beijingIso(ms)}+08:00`;

const beijingIso = (ms: number): string => new Date(ms + OFFSET_MS).toISOString().slice(0, 19);

/** Reads the first two formats, or one with a zone. Null for anything else. */
export function timeOf(text: string | undefined): Date | null {
  const wall = /^(\d{4})-?(\d\d)-?(\d\d)[ T]?(\d\d):?(\d\d):?(\d\d)(?:\.\d+)?([+-]\d\d:\d\d|Z)?$/.exec(text ?? '');
  if (!wall) return null;
  const [, year, month, day, hour, minute, second, zone = '+08:00'] = wall;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  return Number.isNaN(date.getTime()) ? null : date;
}
