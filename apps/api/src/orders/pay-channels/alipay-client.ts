import { isDeepStrictEqual } from 'node:util';
import type { KeyObject } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AlipaySdk } from 'alipay-sdk';
import { z } from 'zod';
import { externalCall } from '../../platform/admission.js';
import { isCanonicalBase64 } from './rsa-signature.js';
import { beijingTime } from './beijing-time.js';
import { NoGatewayAnswer, GatewayRejection, parseAnswer, causeOf } from './gateway-client.js';

/**
 * The official SDK verifies a substring of the answer but returns the result of JSON.parse over all of it. With a repeated name the two
 * could differ, so this class requires them to be equal.
 */
export class StrictAlipaySdk extends AlipaySdk {
  override checkResponseSign(raw: string, name: string, signature: string, traceId: string): void {
    if (typeof signature !== 'string' || !isCanonicalBase64(signature)) throw new Error('the answer is not signed');
    super.checkResponseSign(raw, name, signature, traceId);
    const answer = JSON.parse(raw) as Record<string, unknown>;
    if (!isDeepStrictEqual(answer[name], JSON.parse(this.getSignStr(raw, name))))
      throw new Error('the answer is not what was signed');
  }
}

/** Verifies Alipay's signatures: by its public key, or by three certificates in PEM (the app's, the roots, Alipay's own). */
export type AlipayTrust = { publicKey: KeyObject } | { appCert: string; rootCert: string; alipayCert: string };

export type AlipaySettings = {
  gatewayUrl: string;
  appId: string;
  privateKey: KeyObject;
  trust: AlipayTrust;
  /** Of one try. */
  timeoutMs: number;
  now: () => number;
};

const result = z.looseObject({
  code: z.string(),
  msg: z.string().default(''),
  sub_code: z.string().optional(),
  sub_msg: z.string().optional(),
});

/** Calls Alipay's gateway through the official SDK in its public-key or certificate mode. */
export class AlipayClient {
  readonly #sdk: StrictAlipaySdk;
  readonly #settings: AlipaySettings;

  constructor(settings: AlipaySettings) {
    this.#settings = settings;
    const { gatewayUrl, appId, privateKey, trust, timeoutMs } = settings;
    this.#sdk = new StrictAlipaySdk({
      gateway: gatewayUrl,
      appId,
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      keyType: 'PKCS8',
      camelcase: false,
      timeout: timeoutMs,
      ...('publicKey' in trust
        ? { alipayPublicKey: trust.publicKey.export({ type: 'spki', format: 'pem' }).toString() }
        : {
            appCertContent: trust.appCert,
            alipayRootCertContent: trust.rootCert,
            alipayPublicCertContent: trust.alipayCert,
          }),
    });
  }

  /** One try. Returns the verified node of the answer when its code is 10000. Throws NoGatewayAnswer, GatewayRejection. */
  async request(method: string, bizContent: Record<string, string>): Promise<Record<string, unknown>> {
    const done = new AbortController();
    const call = this.#sdk.exec(method, { ...this.#timestamp(), bizContent }, { validateSign: true });
    // The SDK's timeout applies to the headers and to each chunk of the body, not to the whole.
    const late = delay(this.#settings.timeoutMs, null, { signal: done.signal }).catch(() => null);
    const node = await externalCall(() => Promise.race([call, late]))
      .catch((error: unknown) => {
        throw new NoGatewayAnswer(`no answer that Alipay signed: ${whyOf(error)}`);
      })
      .finally(() => done.abort());
    if (node === null) throw new NoGatewayAnswer('no answer in time');
    const { code, msg, sub_code, sub_msg } = parseAnswer(result, node);
    if (code === '10000') return node;
    const rejection = new GatewayRejection(sub_code ?? code, sub_msg ?? msg);
    throw isBusy(code, rejection.code) ? new NoGatewayAnswer(rejection.message) : rejection;
  }

  /** The HTML of a form for the browser to post, without the SDK's script, which the console refuses. */
  form(method: string, urls: { notify: string; return: string }, bizContent: Record<string, string>): string {
    const params = { ...this.#timestamp(), notify_url: urls.notify, return_url: urls.return, bizContent };
    return this.#sdk
      .pageExec(method, 'POST', params)
      .replace(/<script>.*$/s, '')
      .trim();
  }

  /** Whether Alipay signed this notification. Some of its systems leave empty values out of the signed text. */
  isSigned(params: Record<string, string>): boolean {
    if (this.#sdk.checkNotifySignV2(params)) return true;
    const filled = Object.entries(params).filter(([, value]) => value !== '');
    return filled.length < Object.keys(params).length && this.#sdk.checkNotifySignV2(Object.fromEntries(filled));
  }

  /** The SDK would send the local time of this process, but Alipay expects Beijing time. */
  #timestamp(): { timestamp: string } {
    return { timestamp: beijingTime(this.#settings.now()) };
  }
}

const isBusy = (code: string, subCode: string): boolean =>
  code === '20000' || ['ACQ.SYSTEM_ERROR', 'aop.unknow-error'].includes(subCode) || subCode.startsWith('isp.');

/** Messages of the SDK quote signed text, so only their beginning is logged. */
const whyOf = (error: unknown): string => {
  const cause = causeOf(error);
  const isItsOwn = error instanceof Error && cause === error.name;
  return isItsOwn ? (error.message.split(/[,，]/, 1)[0] ?? '').slice(0, 60) : cause;
};
