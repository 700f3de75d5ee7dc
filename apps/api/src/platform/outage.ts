/**
 * Whether an error means that PostgreSQL or Redis is away, rather than a bug. Such an error is answered 503 with Retry-After: nothing was
 * done, or a retry finds the result by its idempotency key.
 */
export function isOutage(error: unknown): boolean {
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    const code = 'code' in e ? String(e.code) : '';
    if (SOCKET.has(code) || SQLSTATE.test(code) || MESSAGE.test(e.message)) return true;
  }
  return false;
}

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
// 08 connection (08P01 is our own malformed message), 57P admin shutdown / crash / starting up, 57014 statement time-out, 53 out of resources, 40 deadlock and serialization, 55P03 lock timeout
const SQLSTATE = /^(08(?!P01)...|57P0.|57014|53...|40001|40P01|55P03)$/;
const MESSAGE =
  /connection terminated|connection ended|timeout exceeded when trying to connect|not queryable|connection is closed|client has encountered a connection error/i;
