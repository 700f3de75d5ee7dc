/** The simulated vendors, by the code of their channel in the product. */
export const VENDORS = ['google', 'microsoft', 'tencent', 'youdao', 'deepl', 'chatgpt', 'libretranslate'] as const;
export type VendorName = (typeof VENDORS)[number];

/** An account at a vendor. Any name of the right shape is a valid account, so that every test can use its own. */
export interface Account {
  /** `sandbox-<vendor>-<suffix>`: the API key, or the id that belongs to the secret. */
  readonly name: string;
  readonly vendor: VendorName;
  readonly suffix: string;
  /** `sandbox-<vendor>-secret-<suffix>` */
  readonly secret: string;
  /** Rate limit of a suffix ending in `-<number>qps`; null: unlimited. */
  readonly perSecond: number | null;
}

/** Suffixes are 1–40 of A–Z a–z 0–9 _ - and, for DeepL's free plan, a final `:fx`. */
const ACCOUNT_NAME = new RegExp(`^sandbox-(${VENDORS.join('|')})-([\\w-]{1,40}(?::fx)?)$`);

/** Parses an account name; null when it does not match. */
export function parseAccount(name: string): Account | null {
  const [, vendor, suffix] = ACCOUNT_NAME.exec(name) ?? [];
  if (vendor === undefined || suffix === undefined) return null;
  const [, perSecond] = /-(\d{1,4})qps$/.exec(suffix) ?? [];
  return {
    name,
    vendor: vendor as VendorName,
    suffix,
    secret: `sandbox-${vendor}-secret-${suffix}`,
    perSecond: perSecond ? Number(perSecond) : null,
  };
}

/** Parses an account name of this vendor; null for any other. */
export function parseVendorAccount(vendor: VendorName, name: string | null | undefined): Account | null {
  const account = parseAccount(name ?? '');
  return account?.vendor === vendor ? account : null;
}
