import { PACKAGE_DAYS } from '@yiqiao/domain/limits';

const DAY_MS = 86_400_000;

export type DayCell = 'used' | 'today' | 'left';
/** `daysLeft`: started days until expiry, 0 once it has expired. `cells`: the last 30 days of the package, oldest first. */
export type PackageDays = { daysLeft: number; expired: boolean; cells: readonly DayCell[] };

/** The strip of a package that ends at `expireAt`, seen at `now` (milliseconds on the same clock; packages last 30 days, specification §1). */
export const packageDays = (expireAt: number | null, now: number): PackageDays => {
  const daysLeft = expireAt === null ? 0 : Math.max(0, Math.ceil((expireAt - now) / DAY_MS));
  const used = Math.max(0, PACKAGE_DAYS - daysLeft);
  const cells = Array.from({ length: PACKAGE_DAYS }, (_, day): DayCell => {
    if (day < used) return 'used';
    return day === used ? 'today' : 'left';
  });
  return { daysLeft, expired: daysLeft === 0, cells };
};
