import { createHash, createHmac } from 'node:crypto';

/** What is signed: a POST without a query, to `path`. Header names in lower case; all of these are signed, `host` among them. */
export type Tc3Request = {
  readonly service: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Unix seconds. */
  readonly timestamp: number;
};

export type Tc3Key = { readonly id: string; readonly secret: string };

const ALGORITHM = 'TC3-HMAC-SHA256';

/** The value of `Authorization` by Tencent Cloud's signature v3. What is sent must equal what is signed, byte for byte. */
export function tc3Authorization(request: Tc3Request, key: Tc3Key): string {
  const { stringToSign, scope, signedHeaders } = tc3StringToSign(request);
  const [date = '', service = '', end = ''] = scope.split('/');
  const signing = hmac(hmac(hmac(`TC3${key.secret}`, date), service), end);
  const signature = hmac(signing, stringToSign).toString('hex');
  return `${ALGORITHM} Credential=${key.id}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`;
}

/** The two texts between a request and its signature. */
export function tc3StringToSign({ service, path, headers, body, timestamp }: Tc3Request) {
  const signed = Object.entries(headers)
    .map(([name, value]) => [name.trim().toLowerCase(), value.trim().toLowerCase()] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const signedHeaders = signed.map(([name]) => name).join(';');
  const lines = signed.map(([name, value]) => `${name}:${value}\n`).join('');
  const canonicalRequest = `POST\n${path}\n\n${lines}\n${signedHeaders}\n${sha256(body)}`;
  // The day in UTC, wherever this runs.
  const scope = `${new Date(timestamp * 1_000).toISOString().slice(0, 10)}/${service}/tc3_request`;
  const stringToSign = `${ALGORITHM}\n${timestamp}\n${scope}\n${sha256(canonicalRequest)}`;
  return { canonicalRequest, stringToSign, scope, signedHeaders };
}

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text, 'utf8').digest();
