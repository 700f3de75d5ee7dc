import { randomBytes, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { NoAnswer, SaidNo } from '../calls.js';
import { exchange, jsonOf, type HttpAnswer } from '../exchange.js';
import { PlatformCertificates } from './platform-certificates.js';
import { authorization, whyNotBelieved, type Merchant, type PlatformKeys } from './signature.js';

export type WechatPaySettings = Merchant & {
  url: string;
  appId: string;
  v3Key: string;
  /** Public-key mode; without it the platform's certificates are fetched. */
  publicKey: { id: string; key: KeyObject } | null;
  /** Of one try. */
  patienceMs: number;
  now: () => number;
};

/** `path`: with its query. `body`: what is sent as JSON. */
export type Ask = { method: 'GET' | 'POST'; path: string; body?: object };

const refusal = z.object({ code: z.string(), message: z.string().default('') });
const BUSY = ['SYSTEM_ERROR', 'BANK_ERROR', 'FREQUENCY_LIMITED', 'RATELIMIT_EXCEEDED'];

/** WeChat Pay's API v3: signs every request, and believes no answer that WeChat Pay did not sign. */
export class WechatPayClient {
  readonly keys: PlatformKeys;

  constructor(readonly settings: WechatPaySettings) {
    const { publicKey, v3Key, now } = settings;
    this.keys = publicKey
      ? { find: (serial) => Promise.resolve(serial === publicKey.id ? publicKey.key : null) }
      : new PlatformCertificates(() => this.#send({ method: 'GET', path: '/v3/certificates' }), v3Key, now);
  }

  /** One try. Answers the JSON of a success, null for one without content. Throws NoAnswer, SaidNo. */
  async ask(request: Ask): Promise<unknown> {
    const answer = await this.#send(request);
    if (answer.status === 429) throw new NoAnswer('HTTP 429');
    const content = jsonOf(answer.body);
    const refused = refusal.safeParse(content).data;
    const why = await whyNotBelieved(answer, this.keys, this.settings.now());
    if (why !== null) throw new NoAnswer(`HTTP ${answer.status} ${refused?.code ?? ''}: ${why}`);
    if (answer.status === 200 || answer.status === 204) return content;
    if (!refused || BUSY.includes(refused.code)) throw new NoAnswer(`HTTP ${answer.status} ${refused?.code ?? ''}`);
    throw new SaidNo(refused.code, refused.message);
  }

  #send({ method, path, body }: Ask): Promise<HttpAnswer> {
    const { url: base, publicKey, now, patienceMs } = this.settings;
    // A base with a path of its own is part of what the gateway sees, and so of what is signed.
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
    return exchange({ method, url, headers, body: text }, patienceMs);
  }
}
