import type { KeyObject } from 'node:crypto';
import { setTimeout as pass } from 'node:timers/promises';
import { z } from 'zod';
import { beijingTime } from '../beijing-time.js';
import { NoAnswer, SaidNo, understood } from '../calls.js';
import { causeOf } from '../exchange.js';
import { StrictAlipaySdk } from './strict-sdk.js';

/** How it is known that an answer is Alipay's: its public key, or three certificates in PEM (the app's, the roots, Alipay's own). */
export type AlipayTrust = { publicKey: KeyObject } | { appCert: string; rootCert: string; alipayCert: string };

export type AlipaySettings = {
  gatewayUrl: string;
  appId: string;
  privateKey: KeyObject;
  trust: AlipayTrust;
  /** Of one try. */
  patienceMs: number;
  now: () => number;
};

const said = z.looseObject({
  code: z.string(),
  msg: z.string().default(''),
  sub_code: z.string().optional(),
  sub_msg: z.string().optional(),
});

/** The methods of Alipay's gateway, by the official SDK in its public-key or certificate mode. */
export class AlipayClient {
  readonly #sdk: StrictAlipaySdk;
  readonly #settings: AlipaySettings;

  constructor(settings: AlipaySettings) {
    this.#settings = settings;
    const { gatewayUrl, appId, privateKey, trust, patienceMs } = settings;
    this.#sdk = new StrictAlipaySdk({
      gateway: gatewayUrl,
      appId,
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      keyType: 'PKCS8',
      camelcase: false,
      timeout: patienceMs,
      ...('publicKey' in trust
        ? { alipayPublicKey: trust.publicKey.export({ type: 'spki', format: 'pem' }).toString() }
        : {
            appCertContent: trust.appCert,
            alipayRootCertContent: trust.rootCert,
            alipayPublicCertContent: trust.alipayCert,
          }),
    });
  }

  /** One try. Answers the verified node of the answer when its code is 10000. Throws NoAnswer, SaidNo. */
  async ask(method: string, bizContent: Record<string, string>): Promise<Record<string, unknown>> {
    const done = new AbortController();
    const call = this.#sdk.exec(method, { ...this.#timestamp(), bizContent }, { validateSign: true });
    // The SDK's own limit is for the headers, and then for each piece of the body.
    const late = pass(this.#settings.patienceMs, null, { signal: done.signal }).catch(() => null);
    const node = await Promise.race([call, late])
      .catch((error: unknown) => {
        throw new NoAnswer(`no answer that Alipay signed: ${whyOf(error)}`);
      })
      .finally(() => done.abort());
    if (node === null) throw new NoAnswer('no answer in time');
    const { code, msg, sub_code, sub_msg } = understood(said, node);
    if (code === '10000') return node;
    const no = new SaidNo(sub_code ?? code, sub_msg ?? msg);
    throw isBusy(code, no.code) ? new NoAnswer(no.message) : no;
  }

  /** The HTML of a form that a browser posts to the gateway, without the SDK's script: the console refuses a form with one. */
  form(method: string, urls: { notify: string; return: string }, bizContent: Record<string, string>): string {
    const params = { ...this.#timestamp(), notify_url: urls.notify, return_url: urls.return, bizContent };
    return this.#sdk
      .pageExec(method, 'POST', params)
      .replace(/<script>.*$/s, '')
      .trim();
  }

  /** Whether Alipay signed this notification. Some of its writers leave empty values out of what they sign. */
  isSigned(params: Record<string, string>): boolean {
    if (this.#sdk.checkNotifySignV2(params)) return true;
    const filled = Object.entries(params).filter(([, value]) => value !== '');
    return filled.length < Object.keys(params).length && this.#sdk.checkNotifySignV2(Object.fromEntries(filled));
  }

  /** The SDK would write the wall time of this process's zone, and Alipay reads Beijing's. */
  #timestamp(): { timestamp: string } {
    return { timestamp: beijingTime(this.#settings.now()) };
  }
}

const isBusy = (code: string, subCode: string): boolean =>
  code === '20000' || ['ACQ.SYSTEM_ERROR', 'aop.unknow-error'].includes(subCode) || subCode.startsWith('isp.');

/** The SDK's own messages quote what was signed; of these only the beginning is told. */
const whyOf = (error: unknown): string => {
  const cause = causeOf(error);
  const isItsOwn = error instanceof Error && cause === error.name;
  return isItsOwn ? (error.message.split(/[,，]/, 1)[0] ?? '').slice(0, 60) : cause;
};
