/**
 * Whether an error means that PostgreSQL or Redis is away, rather than a bug. Such an error is answered 503 with Retry-After: nothing was
 * done, or a retry finds the result by its idempotency key.
 */
export const isOutage = (error: unknown): boolean => kindOf(error) !== null;

/** Errors of the same cause have the same kind: a code, or else a message. */
export const outageKind = (error: unknown): string => kindOf(error) ?? 'unknown';

/** Whether the error means that the store does not answer at all, rather than refuse one statement (time-out, deadlock, out of resources). */
export function isAway(error: unknown): boolean {
  const kind = kindOf(error);
  return kind !== null && !/^(40|53|55|57014)/.test(kind);
}

function kindOf(error: unknown): string | null {
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    const code = 'code' in e ? String(e.code) : '';
    if (SOCKET.has(code) || SQLSTATE.test(code)) return code;
    const [message] = MESSAGE.exec(e.message) ?? [];
    if (message !== undefined) return message.toLowerCase();
  }
  return null;
}

/**
 * Whether the server of a connection refuses to write. Another may be the primary by now, and nothing but a new connection finds it: where no
 * proxy cuts the old one, it would fail for ever.
 */
export const isReadOnlyServer = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === READ_ONLY;

const SOCKET = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
]);
/** A standby, a primary that was demoted, or one that a full disk or its owner made read-only. */
const READ_ONLY = '25006';
// 08 connection (08P01 is our own malformed message), 57P admin shutdown / crash / starting up, 57014 statement time-out, 53 out of resources, 40 deadlock and serialization, 55P03 lock timeout
const SQLSTATE = new RegExp(`^(08(?!P01)...|57P0.|57014|53...|40001|40P01|55P03|${READ_ONLY})$`);
const MESSAGE =
  /connection terminated|connection ended|timeout exceeded when trying to connect|not queryable|connection is closed|client has encountered a connection error/i;
