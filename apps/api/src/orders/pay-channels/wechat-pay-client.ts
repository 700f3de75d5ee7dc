import { createDecipheriv, type KeyObject, X509Certificate, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { isCanonicalBase64, isSignedBy, signed } from './rsa-signature.js';
import { NoGatewayAnswer, jsonOf, type HttpResponse, GatewayRejection, sendRequest } from './gateway-client.js';

/** Encrypted by WeChat Pay for us: a notification's content, a platform certificate. */
export const encryptedResource = z.object({
  algorithm: z.literal('AEAD_AES_256_GCM'),
  /** The data, followed by the tag of 16 bytes. */
  ciphertext: z.string().refine(isCanonicalBase64),
  nonce: z.string().length(12),
  associated_data: z.string().default(''),
});

const TAG_BYTES = 16;

/** `v3Key`: the 32 characters of the APIv3 key. Null when the data is not authentic. */
export function decrypted(resource: z.output<typeof encryptedResource>, v3Key: string): string | null {
  const bytes = Buffer.from(resource.ciphertext, 'base64');
  if (bytes.length < TAG_BYTES) return null;
  const data = bytes.subarray(0, -TAG_BYTES);
  try {
    const opening = createDecipheriv('aes-256-gcm', v3Key, resource.nonce, { authTagLength: TAG_BYTES });
    opening.setAuthTag(bytes.subarray(-TAG_BYTES)).setAAD(Buffer.from(resource.associated_data));
    // `final` verifies the tag.
    return Buffer.concat([opening.update(data), opening.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/** The signed parts of a request. `target`: path and query as sent. */
export type SignedRequest = { method: string; target: string; body: string };
/** `timestamp` in seconds. */
export type Moment = { timestamp: string; nonce: string };
export type Merchant = { mchId: string; serial: string; privateKey: KeyObject };

export const requestMessage = ({ method, target, body }: SignedRequest, { timestamp, nonce }: Moment): string =>
  [method, target, timestamp, nonce, body, ''].join('\n');

/** The Authorization header of a request. */
export function authorization(request: SignedRequest, merchant: Merchant, at: Moment): string {
  const fields = {
    mchid: merchant.mchId,
    nonce_str: at.nonce,
    timestamp: at.timestamp,
    serial_no: merchant.serial,
    signature: signed('RSA-SHA256', requestMessage(request, at), merchant.privateKey),
  };
  const list = Object.entries(fields).map(([name, value]) => `${name}="${value}"`);
  return `WECHATPAY2-SHA256-RSA2048 ${list.join(',')}`;
}

/** Finds WeChat Pay's key by serial: a platform certificate's, or the id of its public key. Null when unknown. */
export type PlatformKeys = { find(serial: string): Promise<KeyObject | null> };

/** An answer or a notification: `header` takes names in lower case, `body` is the exact bytes. */
export type SignedMessage = { header: (name: string) => string | undefined; body: Buffer };

const WINDOW_SECONDS = 300;

/** Null when WeChat Pay signed the message within the time window; otherwise the reason to reject it. */
export async function rejectionReason(
  { header, body }: SignedMessage,
  keys: PlatformKeys,
  nowMs: number,
): Promise<string | null> {
  const [timestamp, nonce, serial, signature] = ['timestamp', 'nonce', 'serial', 'signature'].map(
    (name) => header(`wechatpay-${name}`) ?? '',
  );
  if (!timestamp || !nonce || !serial || !signature) return 'it is not signed';
  // WeChat Pay probes merchants with signatures that must be refused.
  if (signature.startsWith('WECHATPAY/SIGNTEST/')) return 'the signature is a probe';
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs / 1000 - Number(timestamp)) > WINDOW_SECONDS)
    return 'its time is not now';
  const key = await keys.find(serial);
  if (!key) return 'the key is unknown';
  const message = Buffer.concat([Buffer.from(`${timestamp}\n${nonce}\n`), body, Buffer.from('\n')]);
  return isSignedBy(key, 'RSA-SHA256', message, signature) ? null : 'the signature is wrong';
}

const list = z.object({
  data: z.array(z.object({ serial_no: z.string(), encrypt_certificate: encryptedResource })),
});

const REFRESH_MS = 60_000;

/**
 * Certificate mode: fetches WeChat Pay's certificates when one is unknown, at most once a minute. The list is encrypted for us and signed
 * by a key of the list itself.
 */
export class PlatformCertificates implements PlatformKeys {
  #keys = new Map<string, KeyObject>();
  #fetchedAt = -Infinity;
  #fetching: Promise<void> | null = null;

  /** `fetchList`: one try of GET /v3/certificates, its answer not verified yet. */
  constructor(
    private readonly fetchList: () => Promise<HttpResponse>,
    private readonly v3Key: string,
    private readonly now: () => number,
  ) {}

  /** Throws NoGatewayAnswer when the list is needed and cannot be fetched. */
  async find(serial: string): Promise<KeyObject | null> {
    if (!this.#keys.has(serial)) await this.#refresh();
    return this.#keys.get(serial) ?? null;
  }

  #refresh(): Promise<void> {
    if (this.#fetching) return this.#fetching;
    if (this.now() - this.#fetchedAt < REFRESH_MS) return Promise.resolve();
    this.#fetchedAt = this.now();
    this.#fetching = this.#fetch().finally(() => {
      this.#fetching = null;
    });
    return this.#fetching;
  }

  async #fetch(): Promise<void> {
    const answer = await this.fetchList();
    const keys = this.#keysIn(answer);
    const find = (serial: string) => Promise.resolve(keys.get(serial) ?? null);
    const why = await rejectionReason(answer, { find }, this.now());
    if (why !== null) throw new NoGatewayAnswer(`the platform’s certificates: HTTP ${answer.status}, ${why}`);
    this.#keys = keys;
  }

  #keysIn({ status, body }: HttpResponse): Map<string, KeyObject> {
    const read = status === 200 ? list.safeParse(jsonOf(body)) : null;
    const keys = (read?.data?.data ?? []).flatMap(({ serial_no, encrypt_certificate }) => {
      const certificate = certificateIn(decrypted(encrypt_certificate, this.v3Key));
      return certificate && this.#isValid(certificate) ? [[serial_no, certificate.publicKey] as const] : [];
    });
    return new Map(keys);
  }

  #isValid({ validFrom, validTo }: X509Certificate): boolean {
    return Date.parse(validFrom) <= this.now() && this.now() <= Date.parse(validTo);
  }
}

const certificateIn = (pem: string | null): X509Certificate | null => {
  try {
    return pem === null ? null : new X509Certificate(pem);
  } catch {
    return null;
  }
};

export type WechatPaySettings = Merchant & {
  url: string;
  appId: string;
  v3Key: string;
  /** Public-key mode; without it the platform's certificates are fetched. */
  publicKey: { id: string; key: KeyObject } | null;
  /** Of one try. */
  timeoutMs: number;
  now: () => number;
};

/** `path` with its query; `body` is sent as JSON. */
export type ApiRequest = { method: 'GET' | 'POST'; path: string; body?: object };

const refusal = z.object({ code: z.string(), message: z.string().default('') });
const BUSY = ['SYSTEM_ERROR', 'BANK_ERROR', 'FREQUENCY_LIMITED', 'RATELIMIT_EXCEEDED'];

/** WeChat Pay's API v3: signs every request and rejects unsigned answers. */
export class WechatPayClient {
  readonly keys: PlatformKeys;

  constructor(readonly settings: WechatPaySettings) {
    const { publicKey, v3Key, now } = settings;
    this.keys = publicKey
      ? { find: (serial) => Promise.resolve(serial === publicKey.id ? publicKey.key : null) }
      : new PlatformCertificates(() => this.#send({ method: 'GET', path: '/v3/certificates' }), v3Key, now);
  }

  /** One try. Returns the JSON of a success, null for one without content. Throws NoGatewayAnswer, GatewayRejection. */
  async request(call: ApiRequest): Promise<unknown> {
    const answer = await this.#send(call);
    if (answer.status === 429) throw new NoGatewayAnswer('HTTP 429');
    const content = jsonOf(answer.body);
    const refused = refusal.safeParse(content).data;
    const why = await rejectionReason(answer, this.keys, this.settings.now());
    if (why !== null) throw new NoGatewayAnswer(`HTTP ${answer.status} ${refused?.code ?? ''}: ${why}`);
    if (answer.status === 200 || answer.status === 204) return content;
    if (!refused || BUSY.includes(refused.code))
      throw new NoGatewayAnswer(`HTTP ${answer.status} ${refused?.code ?? ''}`);
    throw new GatewayRejection(refused.code, refused.message);
  }

  #send({ method, path, body }: ApiRequest): Promise<HttpResponse> {
    const { url: base, publicKey, now, timeoutMs } = this.settings;
    // The path of a base URL is part of the signed target.
    const url = new URL(`${base.replace(/\/$/, '')}${path}`);
    const text = body ? JSON.stringify(body) : '';
    const at = { timestamp: String(Math.floor(now() / 1000)), nonce: randomBytes(16).toString('hex').toUpperCase() };
    const headers = {
      Authorization: authorization({ method, target: url.pathname + url.search, body: text }, this.settings, at),
      Accept: 'application/json',
      'User-Agent': 'yiqiao',
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      ...(publicKey ? { 'Wechatpay-Serial': publicKey.id } : {}),
    };
    return sendRequest({ method, url, headers, body: text }, timeoutMs);
  }
}
