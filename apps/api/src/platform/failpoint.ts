/** Points at which a test can end the process like a crash: FAILPOINT=<name>, never in production. */
export type Failpoint =
  | 'after-hold-commit'
  | 'before-settle'
  | 'after-settle-commit'
  | 'after-order-commit'
  | 'after-offer'
  | 'after-notification-commit'
  | 'before-payment-commit'
  | 'after-payment-commit'
  | 'after-query'
  | 'after-close'
  | 'after-refund-start'
  | 'after-refund-answer'
  | 'after-mail'
  | 'after-request-effect';

const armed = process.env['NODE_ENV'] === 'production' ? undefined : process.env['FAILPOINT'];

export function failpoint(name: Failpoint): void {
  if (armed === name) process.exit(137);
}
