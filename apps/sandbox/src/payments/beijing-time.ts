const OFFSET = 8 * 3_600_000;

const shifted = (time: number) => new Date(time + OFFSET).toISOString();

/** `2026-01-01 08:00:00`, Alipay's format. All gateways use Beijing time; `time` in ms. */
export const spacedTime = (time: number): string => shifted(time).slice(0, 19).replace('T', ' ');

/** `20260101080000`, LianLian's format. */
export const denseTime = (time: number): string => shifted(time).slice(0, 19).replaceAll(/\D/g, '');

/** `2026-01-01T08:00:00+08:00`, WeChat Pay's format. */
export const zonedTime = (time: number): string => `${shifted(time).slice(0, 19)}+08:00`;

/** Parses `2026-01-01 08:00:00` into ms; null when it is invalid. */
export function readSpacedTime(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return null;
  const time = Date.parse(`${text.replace(' ', 'T')}+08:00`);
  return !Number.isNaN(time) && spacedTime(time) === text ? time : null;
}

/** Parses `20260101080000` into ms; null when it is invalid. */
export function readDenseTime(text: string): number | null {
  const spaced = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text);
  return spaced ? readSpacedTime(text.replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3 $4:$5:$6')) : null;
}

/** Parses an RFC 3339 time with zone and seconds into ms; null when it is invalid. */
export function readZonedTime(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text)) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
