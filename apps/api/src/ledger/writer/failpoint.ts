/** Places at which a test may end the process as a crash would: FAILPOINT=<name>, never in production. */
export type Failpoint = 'after-hold-commit' | 'before-settle' | 'after-settle-commit';

const armed = process.env['NODE_ENV'] === 'production' ? undefined : process.env['FAILPOINT'];

export function failpoint(name: Failpoint): void {
  if (armed === name) process.exit(137);
}
