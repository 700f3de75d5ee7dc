import { createHash, createHmac } from 'node:crypto';

/** Allowed clock skew, in seconds. */
const WINDOW_SECONDS = 300;

const SCHEME = 'TC3-HMAC-SHA256';

/** The parsed Authorization header. */
export interface Credential {
  readonly secretId: string;
  readonly date: string;
  readonly service: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
}

const AUTHORIZATION = new RegExp(
  `^${SCHEME} Credential=([^/,\\s]+)/(\\d{4}-\\d\\d-\\d\\d)/([a-z0-9]+)/tc3_request,\\s*` +
    'SignedHeaders=([a-z0-9;-]+),\\s*Signature=([0-9a-f]{64})$',
);

/** Null for a header of another scheme. */
export function readCredential(authorization: string): Credential | null {
  const [, secretId, date, service, headers, signature] = AUTHORIZATION.exec(authorization) ?? [];
  if (!secretId || !date || !service || !headers || !signature) return null;
  return { secretId, date, service, signedHeaders: headers.split(';'), signature };
}

/** A request as received: `url` is path and query, header names are lower-case. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Computes the expected signature of a received request. */
export function expectedSignature(
  received: ReceivedRequest,
  by: Credential & { secretKey: string; timestamp: string },
): string {
  const canonical = canonicalRequest(received, by.signedHeaders);
  const scope = `${by.date}/${by.service}/tc3_request`;
  const text = `${SCHEME}\n${by.timestamp}\n${scope}\n${sha256(canonical)}`;
  const key = [by.date, by.service, 'tc3_request'].reduce<Buffer>(
    (from, part) => createHmac('sha256', from).update(part).digest(),
    Buffer.from(`TC3${by.secretKey}`),
  );
  return createHmac('sha256', key).update(text).digest('hex');
}

function canonicalRequest({ method, url, headers, body }: ReceivedRequest, signed: readonly string[]): string {
  const [path = '/', query = ''] = url.split('?', 2);
  const lines = signed
    .map(
      (name) =>
        `${name}:${String(headers[name] ?? '')
          .trim()
          .toLowerCase()}\n`,
    )
    .join('');
  return `${method}\n${path}\n${query}\n${lines}\n${signed.join(';')}\n${sha256(body)}`;
}

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

/** Whether a Unix timestamp in digits is within the allowed skew. */
export const isFresh = (timestamp: string, now = Date.now()): boolean =>
  /^\d{1,12}$/.test(timestamp) && Math.abs(now / 1000 - Number(timestamp)) <= WINDOW_SECONDS;

/** The UTC date of a timestamp, as in the credential scope. */
export const dayOf = (timestamp: string): string => new Date(Number(timestamp) * 1000).toISOString().slice(0, 10);
