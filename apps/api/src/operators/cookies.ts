import type { FastifyReply, FastifyRequest } from 'fastify';

/** The cookie of the session; `__Host-` ties it to this very host where the connection is encrypted. */
export const SESSION_COOKIE = 'yiqiao-operator';
/** Between password and code. */
export const STEP_COOKIE = 'yiqiao-operator-step';
/** Between the challenge of a passkey and its answer. */
export const PASSKEY_COOKIE = 'yiqiao-operator-passkey';

const nameOf = (name: string, { protocol }: Pick<FastifyRequest, 'protocol'>): string =>
  protocol === 'https' ? `__Host-${name}` : name;

/** The value of a cookie of the request; null without it. */
export function cookieOf(request: Pick<FastifyRequest, 'headers' | 'protocol'>, name: string): string | null {
  const wanted = nameOf(name, request);
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (pair.slice(0, at).trim() === wanted) return pair.slice(at + 1).trim();
  }
  return null;
}

/** Sets a cookie that scripts cannot read and other sites cannot send; null removes it. */
export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  cookie: { name: string; value: string | null },
): void {
  const { name, value } = cookie;
  const parts = [`${nameOf(name, request)}=${value ?? ''}`, 'Path=/', 'HttpOnly', 'SameSite=Strict'];
  if (request.protocol === 'https') parts.push('Secure');
  if (value === null) parts.push('Max-Age=0');
  void reply.header('Set-Cookie', parts.join('; '));
}
