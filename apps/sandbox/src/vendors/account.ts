/** The vendors that stand here, by the code that their channels have in the product. */
export const VENDORS = ['google', 'microsoft', 'tencent', 'youdao', 'deepl', 'chatgpt', 'libretranslate'] as const;
export type VendorName = (typeof VENDORS)[number];

/** An account at a vendor. Whoever names one of the right shape has it: every test may use accounts of its own. */
export interface Account {
  /** `sandbox-<vendor>-<suffix>`: the key, where the vendor has keys, else the id that goes with the secret. */
  readonly name: string;
  readonly vendor: VendorName;
  readonly suffix: string;
  /** `sandbox-<vendor>-secret-<suffix>` */
  readonly secret: string;
  /** Requests in a second that a suffix ending in `-<number>qps` allows; null: any number. */
  readonly perSecond: number | null;
}

/** Suffixes are 1–40 of A–Z a–z 0–9 _ - and, for DeepL's free plan, `:fx` at the end. */
const SHAPE = new RegExp(`^sandbox-(${VENDORS.join('|')})-([\\w-]{1,40}(?::fx)?)$`);

/** The account of this name, or null when no vendor has accounts of such names. */
export function accountOf(name: string): Account | null {
  const [, vendor, suffix] = SHAPE.exec(name) ?? [];
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

/** The account of this name at this vendor, or null. */
export function accountAt(vendor: VendorName, name: string | null | undefined): Account | null {
  const account = accountOf(name ?? '');
  return account?.vendor === vendor ? account : null;
}
