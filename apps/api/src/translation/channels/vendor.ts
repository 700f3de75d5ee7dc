import type { PairTerms } from '@yiqiao/domain/glossary';
import type { z } from 'zod';
import type { Settings } from '../../platform/config.js';
import { inPrivateNetwork } from '../../platform/private-network.js';
import type { TextLimits } from '../text/split.js';
import type { Bilingual, ChannelLanguages } from './channel.js';
import type { VendorLanguages } from './vendor-languages.js';
import type { UpstreamSettings, VendorCode } from './vendor-settings.js';

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

type Values<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/**
 * A vendor, whole: its settings, its languages, its client and its message. Adding one is a row of `CHANNELS` and a file that exports
 * this; the compiler then asks for its line in vendors.ts.
 */
type VendorDefinition<Shape extends z.ZodRawShape> = {
  /** The environment variables of the simple account. */
  readonly shape: Shape;
  /** Variables that need another: while `set` is given, one of `needs` must be. */
  readonly dependencies?: readonly { set: keyof Shape & string; needs: readonly (keyof Shape & string)[] }[];
  /** The variables that hold an address; it must be https in production, except a server of the operator's in a private network. */
  readonly addresses: readonly (keyof Shape & string)[];
  /** The operator runs the server or chooses the model, and with that decides how well it translates. */
  readonly isOperatorsChoice?: true;
  /** Fields that every account of TRANSLATION_UPSTREAMS_FILE must have. */
  readonly required: readonly (keyof UpstreamSettings)[];
  /** What else is wrong with an account of that file; begins with the field. */
  accountProblem?(row: UpstreamSettings): string | null;
  /** Variables that have no effect without an account of this vendor, and the one that makes the simple account. */
  readonly accountOnly?: { readonly needs: keyof Shape & string; readonly names: readonly (keyof Shape & string)[] };
  readonly languages: VendorLanguages;
  readonly client: (account: VendorAccount) => VendorClient;
  /** The channel's message while it has no account. */
  readonly unavailable: Bilingual;
  /** The account that the environment alone gives; null without one. */
  account(
    env: Values<Shape>,
  ): Partial<Pick<UpstreamSettings, 'key' | 'secret' | 'region' | 'model' | 'baseUrl'>> | null;
  /** The address of accounts that do not name their own. */
  baseUrl(env: Values<Shape>, key: string): string;
  /** The region of accounts that do not name their own. */
  region?(env: Values<Shape>): string;
  /** What its accounts at the sandbox need beside keys. */
  readonly sandbox?: Partial<VendorAccount>;
  readonly sandboxPath?: string;
};

export type Vendor<Shape extends z.ZodRawShape = z.ZodRawShape> = VendorDefinition<Shape> & Settings<Shape>;

export const defineVendor = <Shape extends z.ZodRawShape>(vendor: VendorDefinition<Shape>): Vendor<Shape> => ({
  ...vendor,
  // Half a vendor would fail at the first member.
  problems: (given, values, isProduction) => [
    ...(vendor.dependencies ?? [])
      .filter(({ set, needs }) => given[set] && !needs.some((name) => given[name]))
      .map(({ set, needs }) => `${needs.join(' or ')}: missing, while ${set} is set`),
    ...vendor.addresses
      .filter((name) => isProduction && isOpenAddress(vendor, values?.[name as keyof Values<Shape>]))
      .map((name) => `${name}: https in production`),
  ],
});

/** Whether requests to it would cross a public network unencrypted. */
export const isOpenAddress = ({ isOperatorsChoice }: Pick<Vendor, 'isOperatorsChoice'>, url: unknown): boolean =>
  typeof url === 'string' && url.startsWith('http:') && !(isOperatorsChoice && inPrivateNetwork(url));

export const needsKey = (zh: string, en: string): Bilingual => ({
  zh: `需要配置${zh}的接口密钥`,
  en: `Needs an API key of ${en}.`,
});
