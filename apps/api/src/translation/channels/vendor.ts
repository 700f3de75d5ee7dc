import type { Register } from '@yiqiao/domain/formality';
import type { PairTerms } from '@yiqiao/domain/glossary';
import type { z } from 'zod';
import type { Settings } from '../../platform/config.js';
import { inPrivateNetwork } from '../../platform/private-network.js';
import type { TextLimits } from '../text/split.js';
import type { Bilingual, ChannelLanguages } from './channel.js';
import type { VendorLanguages } from './vendor-languages.js';
import type { UpstreamSettings, VendorCode } from './vendor-settings.js';

/** Where an account comes from: the console, a vendor's variables, the file of accounts, or SANDBOX_VENDORS. */
export type AccountOrigin = 'console' | 'environment' | 'file' | 'sandbox';

/** Its row in the database: how logs name it, and what it costs in micro-yuan. */
export type AccountRecord = {
  readonly id: number;
  readonly charCost: number;
  readonly voiceCost: number;
  readonly imageCost: number;
};

/** One of our accounts at a vendor: a channel may have several, which share its traffic by weight. */
export type VendorAccount = {
  readonly code: VendorCode;
  /** Unique within its channel; its name for operators and logs. Never a secret. */
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
  /** Caps for this account, tighter than the vendor's own; null: none. */
  readonly requestsPerSecond: number | null;
  readonly charsPerMinute: number | null;
  readonly charsPerDay: number | null;
  /** An account at the sandbox. */
  readonly sandbox: boolean;
  readonly origin?: AccountOrigin;
  /** Absent until the database has been read. */
  readonly record?: AccountRecord | undefined;
};

/**
 * The limits of a vendor's account. Characters are Unicode code points, times milliseconds. A request within them is never refused for its
 * size; `routing/` keeps to the rates.
 */
export type VendorLimits = TextLimits & {
  readonly requestsPerSecond: number | null;
  readonly charsPerMinute: number | null;
  /** Concurrent requests per account. */
  readonly inFlight: number;
  /** How long one request may take before another upstream is asked. */
  readonly requestMs: number;
};

export type VendorRequest = {
  /** Within the limits, none of them blank. Always plain text with placeholders for protected pieces. */
  readonly texts: readonly string[];
  /** langCodes of `data/languages.json`; source null: the vendor detects it. */
  readonly source: string | null;
  readonly target: string;
  readonly signal: AbortSignal;
  /** For a client that {@link VendorClient.uses} them. */
  readonly terms?: PairTerms | null | undefined;
  /** For a client that {@link VendorClient.hasRegisters} of the target. */
  readonly register?: Register | undefined;
};

/** `vendor`: by the vendor's glossary. `prompt`: by the prompt, which a model may ignore. */
export type TermsUse = 'vendor' | 'prompt';

/** In the order of the texts. `detected`: langCodes, if the vendor detected the source. */
export type VendorAnswer = { readonly texts: readonly string[]; readonly detected: readonly (string | null)[] };

/**
 * One vendor's protocol for one account, and nothing else: retries and queues are in `routing/`, the same for all vendors.
 */
export interface VendorClient {
  readonly limits: VendorLimits;
  /** `source` null: the vendor detects it. */
  supports(source: string | null, target: string): boolean;
  languages(): ChannelLanguages;
  /** Absent: for no target. */
  hasRegisters?(target: string): boolean;
  /** Returns as many texts as requested. Throws only {@link VendorFailure}. */
  translate(request: VendorRequest): Promise<VendorAnswer>;
  /**
   * How it would apply these terms now; null: not at all, so they must be replaced by placeholders. The first call uploads them to a vendor
   * that needs them beforehand, which applies them from then on.
   */
  uses?(terms: PairTerms): TermsUse | null;
  /** Removes a family's terms from this vendor, except `current`. Throws VendorFailure. */
  keepOnlyTerms?(familyId: number, current: readonly PairTerms[]): Promise<void>;
  /** Closes its connections. */
  close(): Promise<void>;
}

type Values<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/**
 * A vendor: its settings, languages, client and message. To add one, add a row to `CHANNELS` and a file that exports this; the compiler then
 * requires its line in vendors.ts.
 */
type VendorDefinition<Shape extends z.ZodRawShape> = {
  /** The environment variables of the simple account. */
  readonly shape: Shape;
  /** Variables that need another: while `set` is given, one of `needs` must be. */
  readonly dependencies?: readonly { set: keyof Shape & string; needs: readonly (keyof Shape & string)[] }[];
  /** The variables with a URL; it must be https in production, except for the operator's own server in a private network. */
  readonly addresses: readonly (keyof Shape & string)[];
  /** The operator runs the server or chooses the model, which determines the quality. */
  readonly isOperatorsChoice?: true;
  /** Fields that every account of TRANSLATION_UPSTREAMS_FILE must have. */
  readonly required: readonly (keyof UpstreamSettings)[];
  /** A further problem of an account in that file; begins with the field. */
  accountProblem?(row: UpstreamSettings): string | null;
  /** Variables that have no effect without an account of this vendor, and the one that makes the simple account. */
  readonly accountOnly?: { readonly needs: keyof Shape & string; readonly names: readonly (keyof Shape & string)[] };
  readonly languages: VendorLanguages;
  readonly client: (account: VendorAccount) => VendorClient;
  /** The channel's message while it has no account. */
  readonly unavailable: Bilingual;
  /** The account from environment variables alone; null without one. */
  account(
    env: Values<Shape>,
  ): Partial<Pick<UpstreamSettings, 'key' | 'secret' | 'region' | 'model' | 'baseUrl'>> | null;
  /** The address of accounts that do not name their own. */
  baseUrl(env: Values<Shape>, key: string): string;
  /** The region of accounts that do not name their own. */
  region?(env: Values<Shape>): string;
  /** The further fields of its accounts at the sandbox. */
  readonly sandbox?: Partial<VendorAccount>;
  readonly sandboxPath?: string;
};

export type Vendor<Shape extends z.ZodRawShape = z.ZodRawShape> = VendorDefinition<Shape> & Settings<Shape>;

export const defineVendor = <Shape extends z.ZodRawShape>(vendor: VendorDefinition<Shape>): Vendor<Shape> => ({
  ...vendor,
  // An incomplete account would fail at the first request.
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
  en: `Needs an API key for ${en}.`,
});
