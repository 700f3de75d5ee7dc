import { createHash, createHmac } from 'node:crypto';

/** Furthest a caller's clock may be away, in seconds. */
const WINDOW = 300;

const SCHEME = 'TC3-HMAC-SHA256';

/** What a caller says in its Authorization header. */
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

/** Null for a header that is not of the scheme. */
export function readCredential(authorization: string): Credential | null {
  const [, secretId, date, service, headers, signature] = AUTHORIZATION.exec(authorization) ?? [];
  if (!secretId || !date || !service || !headers || !signature) return null;
  return { secretId, date, service, signedHeaders: headers.split(';'), signature };
}

/** A request as it was received: `url` is path and query, headers by lower-case name. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** The signature that this request must carry, from what was received alone. */
export function expectedSignature(
  received: Received,
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

function canonicalRequest({ method, url, headers, body }: Received, signed: readonly string[]): string {
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

/** Seconds since 1970 as digits, and near enough to now. */
export const isFresh = (timestamp: string, now = Date.now()): boolean =>
  /^\d{1,12}$/.test(timestamp) && Math.abs(now / 1000 - Number(timestamp)) <= WINDOW;

/** The day in UTC that a timestamp falls on, as the credential must name it. */
export const dayOf = (timestamp: string): string => new Date(Number(timestamp) * 1000).toISOString().slice(0, 10);
