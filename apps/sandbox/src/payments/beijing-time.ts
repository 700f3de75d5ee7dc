const OFFSET = 8 * 3_600_000;

const shifted = (time: number) => new Date(time + OFFSET).toISOString();

/** `2026-01-01 08:00:00`, as Alipay writes times. Every gateway keeps the time of Beijing; `time` in ms. */
export const spacedTime = (time: number): string => shifted(time).slice(0, 19).replace('T', ' ');

/** `20260101080000`, as LianLian writes them. */
export const denseTime = (time: number): string => shifted(time).slice(0, 19).replaceAll(/\D/g, '');

/** `2026-01-01T08:00:00+08:00`, as WeChat Pay writes them. */
export const zonedTime = (time: number): string => `${shifted(time).slice(0, 19)}+08:00`;

/** ms; null for anything but an existing time written like `2026-01-01 08:00:00`. */
export function readSpacedTime(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return null;
  const time = Date.parse(`${text.replace(' ', 'T')}+08:00`);
  return !Number.isNaN(time) && spacedTime(time) === text ? time : null;
}

/** ms; null for anything but an existing time written like `20260101080000`. */
export function readDenseTime(text: string): number | null {
  const spaced = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text);
  return spaced ? readSpacedTime(text.replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3 $4:$5:$6')) : null;
}

/** ms; null for anything but an RFC 3339 time with its zone, seconds included. */
export function readZonedTime(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text)) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}
