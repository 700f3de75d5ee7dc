/**
 * Consecutive calendar days with a login, today included. `daysSinceLast` is the number of calendar days (APP_TIMEZONE)
 * since the last login, null before the first one; a clock set back counts as the same day (decisions §3).
 */
export function sumDay(last: { sumDay: number; daysSinceLast: number } | null): number {
  if (!last) return 1;
  if (last.daysSinceLast <= 0) return last.sumDay;
  return last.daysSinceLast === 1 ? last.sumDay + 1 : 1;
}
