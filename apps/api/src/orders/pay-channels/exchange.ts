import { externalCall } from '../../platform/admission.js';
import { NoAnswer } from './calls.js';

/** What goes to a gateway, over HTTP as it is signed. */
export type HttpRequest = { method: 'GET' | 'POST'; url: URL; headers: Record<string, string>; body: string };
/** `header` knows names in lower case. */
export type HttpAnswer = { status: number; header: (name: string) => string; body: Buffer };

const ANSWER_BYTES = 1024 * 1024;

/**
 * One try, done in `patienceMs` from the first byte to the last, body included. Redirects are not followed: what was signed is for one
 * address. Throws NoAnswer; an answer of any status below 500 is for the caller to judge.
 */
export const exchange = (request: HttpRequest, patienceMs: number): Promise<HttpAnswer> =>
  externalCall(() => send(request, patienceMs));

async function send(request: HttpRequest, patienceMs: number): Promise<HttpAnswer> {
  try {
    const answer = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      body: request.method === 'GET' ? null : request.body,
      redirect: 'manual',
      signal: AbortSignal.timeout(patienceMs),
    });
    const body = await readAll(answer);
    if (answer.status >= 500) throw new NoAnswer(`HTTP ${answer.status}`);
    return { status: answer.status, header: (name) => answer.headers.get(name) ?? '', body };
  } catch (error) {
    throw error instanceof NoAnswer ? error : new NoAnswer(`no answer: ${causeOf(error)}`);
  }
}

async function readAll(answer: Response): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > ANSWER_BYTES) throw new NoAnswer(`an answer of more than ${ANSWER_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Null for what is no JSON. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

/** `TimeoutError`, `ECONNREFUSED` …: names and codes only. */
export function causeOf(error: unknown): string {
  const { name, code, cause } = Object(error) as { name?: unknown; code?: unknown; cause?: unknown };
  if (cause) return causeOf(cause);
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown';
}
