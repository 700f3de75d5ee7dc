import type { PairTerms } from '@yiqiao/domain/glossary';
import type { ChannelCode } from '@yiqiao/domain/channels';
import type { TextLimits } from '../text/split.js';
import type { Config } from '../../platform/config.js';
import type { UpstreamSettings } from '../../platform/vendor-settings.js';
import type { Bilingual, ChannelLanguages } from './channel.js';

/** The channels that are somebody else's service. */
export type VendorCode = Exclude<ChannelCode, 'offline'>;

/** One account of ours at a vendor: a channel may have several, which share its traffic by weight. */
export type VendorAccount = {
  readonly code: VendorCode;
  /** Unique within its channel; what operators and logs call it. Never a secret. */
  readonly name: string;
  /** Without a slash at its end; the vendor's own by default. */
  readonly baseUrl: string;
  /** Tencent: SecretId. Youdao: appKey. LibreTranslate: may be empty. */
  readonly key: string;
  /** Tencent: SecretKey. Youdao: appSecret. */
  readonly secret: string | null;
  /** Microsoft: the resource's region, null for a global one. Tencent: X-TC-Region. */
  readonly region: string | null;
  /** ChatGPT only. */
  readonly model: string | null;
  /** Its share of the channel's requests, 1–100. */
  readonly weight: number;
  /** Caps that are set for this account, tighter than the vendor's own; null: none. */
  readonly requestsPerSecond: number | null;
  readonly charsPerMinute: number | null;
  readonly charsPerDay: number | null;
  /** It speaks to the sandbox. */
  readonly sandbox: boolean;
};

/**
 * What one account of a vendor takes. Characters are Unicode code points, times milliseconds. A request that keeps to it is never
 * refused for its size; pacing (`routing/`) keeps to the rates.
 */
export type VendorLimits = TextLimits & {
  readonly requestsPerSecond: number | null;
  readonly charsPerMinute: number | null;
  /** Requests at the same time over one account. */
  readonly inFlight: number;
  /** How long one request may take before another upstream is asked. */
  readonly requestMs: number;
};

export type VendorRequest = {
  /** Within the limits, none of them blank. Always plain text: what must survive was protected before. */
  readonly texts: readonly string[];
  /** langCodes of `data/languages.json`; source null: the vendor finds out. */
  readonly source: string | null;
  readonly target: string;
  readonly signal: AbortSignal;
  /** To be used by a client that says that it {@link VendorClient.uses} them. */
  readonly terms?: PairTerms | null | undefined;
};

/** `vendor`: the vendor sees to terms in its own way. `prompt`: it is asked to, and may forget. */
export type TermsUse = 'vendor' | 'prompt';

/** In the order of the texts. `detected`: langCodes, where the source was left to the vendor. */
export type VendorAnswer = { readonly texts: readonly string[]; readonly detected: readonly (string | null)[] };

/**
 * One vendor's protocol, spoken for one account: nothing but the wire. No retry, no queue, no second thoughts: those are the routing's,
 * the same for all.
 */
export interface VendorClient {
  readonly limits: VendorLimits;
  /** `source` null: left to the vendor. */
  supports(source: string | null, target: string): boolean;
  languages(): ChannelLanguages;
  /** Throws {@link VendorFailure} and nothing else. As many texts as were asked. */
  translate(request: VendorRequest): Promise<VendorAnswer>;
  /**
   * How it would use these terms now; null: not at all, and they are to be protected. A vendor that must be told beforehand is told
   * when this is first asked, and uses them once it knows.
   */
  uses?(terms: PairTerms): TermsUse | null;
  /** Removes what this vendor was told of a family's terms, but for `current`. Throws VendorFailure. */
  keepOnlyTerms?(familyId: number, current: readonly PairTerms[]): Promise<void>;
  /** Closes its connections. */
  close(): Promise<void>;
}

/**
 * Why a vendor did not deliver, the same words for all:
 * - `auth`: key, signature or permission; `quota`: the account is used up or in arrears. Both last: the upstream is left alone for long;
 * - `rate`: too fast; `transient`: its server or the network; `timeout`: no answer in time. All three pass;
 * - `unsupported`: not this pair; `too-long`: over its limit after all; `blocked`: its content policy; `bad-request`: we asked wrongly;
 * - `bad-answer`: something that is no translation: malformed, cut off, blank, of another count, the source itself, another script.
 */
export type VendorFailureKind =
  | 'auth'
  | 'quota'
  | 'rate'
  | 'transient'
  | 'timeout'
  | 'unsupported'
  | 'too-long'
  | 'blocked'
  | 'bad-request'
  | 'bad-answer';

/** The one error of a vendor's client. Its message is for operators: status and code of the vendor, never a text, never a key. */
export class VendorFailure extends Error {
  override readonly name = 'VendorFailure';

  constructor(
    readonly kind: VendorFailureKind,
    message: string,
    /** How long the vendor asks us to wait, when it says so. */
    readonly retryAfterMs: number | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * An answer that holds no translation of what was asked: blank, or of another count. The text may be the reason, so the upstream is blamed
 * only when another one does better.
 */
export class NoAnswer extends VendorFailure {
  constructor(message: string) {
    super('bad-answer', message);
  }
}

type Env = Config['env'];

/** Everything that the product knows of a vendor beside its row of `CHANNELS`. The vendors are listed in vendors.ts. */
export type Vendor = {
  readonly client: (account: VendorAccount) => VendorClient;
  /** The channel's message while it has no account. */
  readonly unavailable: Bilingual;
  /** The account that the environment alone gives; null without one. Incomplete settings were refused at the start. */
  readonly account: (
    env: Env,
  ) => Partial<Pick<UpstreamSettings, 'key' | 'secret' | 'region' | 'model' | 'baseUrl'>> | null;
  /** The address of accounts that do not name their own. */
  readonly baseUrl: (env: Env, key: string) => string;
  /** The region of accounts that do not name their own. */
  readonly region?: (env: Env) => string;
  /** An operator decides which server and model translate, and with that how well. */
  readonly isOperatorsChoice?: true;
  /** What its accounts at the sandbox need beside keys. */
  readonly sandbox?: Partial<VendorAccount>;
  readonly sandboxPath?: string;
};

export const needsKey = (zh: string, en: string): Bilingual => ({
  zh: `需要配置${zh}的接口密钥`,
  en: `Needs an API key of ${en}.`,
});
