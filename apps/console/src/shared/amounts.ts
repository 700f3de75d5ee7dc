/**
 * A number as `1,284,500`, in both languages (DESIGN §5). Not `toLocaleString`: what it loads at its first use keeps a slow phone
 * busy for 70 ms.
 */
export const grouped = (n: number): string => String(n).replaceAll(/(?<![.]\d*)\B(?=(\d{3})+(?!\d))/g, ',');
/** The whole number `n` with its last `places` digits as decimals, at least `least` of them: `12,345.6`. */
export function withDecimals(n: number, { places, least = 0 }: { places: number; least?: number }): string {
  const digits = String(Math.abs(n)).padStart(places + 1, '0');
  const decimals = digits.slice(-places).replace(/0+$/, '').padEnd(least, '0');
  return `${n < 0 ? '-' : ''}${grouped(Number(digits.slice(0, -places)))}${decimals === '' ? '' : `.${decimals}`}`;
}
/** `+10,000`, `−186` with a real minus, `0`. */
export const signed = (n: number): string => `${n > 0 ? '+' : n < 0 ? '−' : ''}${grouped(Math.abs(n))}`;
/** Fen as yuan with two decimals (specification §9). */
export const yuan = (fen: number): string => withDecimals(fen, { places: 2, least: 2 });

/** Minutes of a package as people count them; the sign is the caller's. */
export const durationOf = (minutes: number): { days: number; hours: number; minutes: number } => {
  const n = Math.abs(minutes);
  return { days: Math.floor(n / 1440), hours: Math.floor((n % 1440) / 60), minutes: n % 60 };
};
