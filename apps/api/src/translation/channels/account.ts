import type { ChannelCode } from '@yiqiao/domain/channels';

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
