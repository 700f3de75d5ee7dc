import { createHash, createHmac, randomUUID } from 'node:crypto';

import { startSandbox, type Sandbox } from '../src/sandbox.js';
import type { VendorName } from '../src/vendors/account.js';
import type { AccountCalls } from '../src/vendors/vendor-calls.js';
import type { Fault, FaultSwitch } from '../src/vendors/vendor-faults.js';

/** A vendor's response. `json` undefined: not JSON. */
export interface VendorResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Json | undefined;
}

export type Json = Readonly<Record<string, unknown>>;

/** A translation request; `source` null: detect it. Language codes are the vendor's. */
export interface TranslationCall {
  readonly texts: readonly string[];
  readonly source: string | null;
  readonly target: string;
}

/** A running sandbox with helpers for its vendors and test controls. */
export class VendorSandbox {
  #count = 0;

  private constructor(readonly sandbox: Sandbox) {}

  static async open(): Promise<VendorSandbox> {
    return new VendorSandbox(
      await startSandbox({
        host: '127.0.0.1',
        httpPort: 0,
        smtpPort: 0,
        dataDir: null,
        gatewaysFile: null,
        operatorsFile: null,
      }),
    );
  }

  close(): Promise<void> {
    return this.sandbox.stop();
  }

  /** A unique account. */
  account(vendor: VendorName, ending = ''): string {
    return `sandbox-${vendor}-t${(this.#count += 1)}${ending}`;
  }

  url(path: string): string {
    return this.sandbox.url + path;
  }

  async send(path: string, init: RequestInit = {}): Promise<VendorResponse> {
    const response = await fetch(this.url(path), init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: jsonOf(text) };
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<VendorResponse> {
    return this.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  async setFault(account: string, fault: FaultSwitch): Promise<readonly Fault[]> {
    return (await this.post('/vendors/switches', { account, fault })).json?.['switches'] as Fault[];
  }

  async calls(account: string): Promise<AccountCalls> {
    return (await this.send(`/vendors/calls?account=${account}`)).json as unknown as AccountCalls;
  }
}

const jsonOf = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};

/** The secret of an account. */
export const secretOf = (account: string): string => account.replace(/^(sandbox-[a-z]+)-/, '$1-secret-');

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Overrides of a Tencent call. */
export interface TencentCall {
  readonly account: string;
  readonly secret?: string;
  readonly action?: string;
  readonly timestamp?: number;
  readonly path?: string;
  readonly headers?: Record<string, string>;
}

/** A call signed for its path and host. */
export function tencentCall(vendors: VendorSandbox, body: unknown, call: TencentCall): RequestInit {
  const { account, secret = secretOf(account), action = 'TextTranslate', path = '/vendors/tencent/' } = call;
  const timestamp = String(call.timestamp ?? Math.floor(Date.now() / 1000));
  const [text, type] = [JSON.stringify(body), 'application/json; charset=utf-8'];
  const date = new Date(Number(timestamp) * 1000).toISOString().slice(0, 10);
  const { host } = new URL(vendors.sandbox.url);
  const signed = 'content-type;host;x-tc-action';
  const canonical = [
    'POST',
    path,
    '',
    `content-type:${type}`,
    `host:${host}`,
    `x-tc-action:${action.toLowerCase()}`,
    '',
    signed,
    sha256(text),
  ].join('\n');
  const scope = `${date}/tmt/tc3_request`;
  const key = hmac(hmac(hmac(`TC3${secret}`, date), 'tmt'), 'tc3_request');
  const signature = hmac(key, `TC3-HMAC-SHA256\n${timestamp}\n${scope}\n${sha256(canonical)}`).toString('hex');
  return {
    method: 'POST',
    body: text,
    headers: {
      'content-type': type,
      authorization: `TC3-HMAC-SHA256 Credential=${account}/${scope}, SignedHeaders=${signed}, Signature=${signature}`,
      'x-tc-action': action,
      'x-tc-version': '2018-03-21',
      'x-tc-timestamp': timestamp,
      'x-tc-region': 'ap-guangzhou',
      ...call.headers,
    },
  };
}

export const askTencent = (vendors: VendorSandbox, body: unknown, call: TencentCall): Promise<VendorResponse> =>
  vendors.send(call.path ?? '/vendors/tencent/', tencentCall(vendors, body, call));

/** A signed Youdao form; `over` replaces fields after signing. */
export function youdaoForm(
  account: string,
  wanted: TranslationCall,
  over: Record<string, string> = {},
): URLSearchParams {
  const text = wanted.texts.join('');
  const input = text.length <= 20 ? text : text.slice(0, 10) + String(text.length) + text.slice(-10);
  const { salt = randomUUID(), curtime = String(Math.floor(Date.now() / 1000)) } = over;
  const sign = sha256(account + input + salt + curtime + secretOf(account));
  const form = new URLSearchParams({
    from: wanted.source ?? 'auto',
    to: wanted.target,
    appKey: account,
    salt,
    curtime,
    sign,
    signType: 'v3',
  });
  for (const q of wanted.texts) form.append('q', q);
  for (const [name, value] of Object.entries(over)) form.set(name, value);
  return form;
}

export const askYoudao = (vendors: VendorSandbox, form: URLSearchParams, path = '/api'): Promise<VendorResponse> =>
  vendors.send(`/vendors/youdao${path}`, { method: 'POST', body: form });

/** A valid Microsoft call; `query` is added to the API version. */
export const askMicrosoft = (
  vendors: VendorSandbox,
  call: { account: string; query: string; body: unknown; headers?: Record<string, string> },
): Promise<VendorResponse> =>
  vendors.post(`/vendors/microsoft/translate?api-version=3.0&${call.query}`, call.body, {
    'ocp-apim-subscription-key': call.account,
    'ocp-apim-subscription-region': 'eastasia',
    ...call.headers,
  });

export const askChat = (vendors: VendorSandbox, account: string, body: object): Promise<VendorResponse> =>
  vendors.post(
    '/vendors/chatgpt/v1/chat/completions',
    { model: 'sandbox-gpt', ...body },
    { authorization: `Bearer ${account}` },
  );
