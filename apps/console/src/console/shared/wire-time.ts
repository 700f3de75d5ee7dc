/**
 * Times on the wire are `YYYY-MM-DD HH:mm:ss` in the server's zone (decisions §1). They are displayed as received; for comparisons both
 * sides use that zone's clock, never the browser's.
 */
const SERVER_ZONE = 'Asia/Shanghai'; // the default of APP_TIMEZONE

const FORMAT = new Intl.DateTimeFormat('sv-SE', {
  timeZone: SERVER_ZONE,
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** `now` in the wire format. */
export const wireNow = (now: Date = new Date()): string => FORMAT.format(now);

/** A wire time in milliseconds on the server's clock; only differences are meaningful. */
export const wireMs = (time: string): number => Date.parse(`${time.replace(' ', 'T')}Z`);

/** The last `days` whole days including today, as a list filter (both ends included). */
export const lastDays = (days: number, now: Date = new Date()): { begin: string; end: string } => {
  const today = wireNow(now).slice(0, 10);
  const first = new Date(wireMs(`${today} 00:00:00`) - (days - 1) * 86_400_000).toISOString().slice(0, 10);
  return { begin: `${first} 00:00:00`, end: `${today} 23:59:59` };
};
