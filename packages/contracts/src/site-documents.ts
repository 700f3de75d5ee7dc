/** The documents of the data config that the product itself reads (decisions §6, §9). Links and pictures are checked where they are set. */
import { z } from 'zod';

const inBoth = z.strictObject({ zh: z.string().max(2_000), en: z.string().max(2_000) });

/** USDT_PAY_INFO: the external page, enabled by default (decisions §5, §9). */
export const usdtPayInfo = z.object({ enabled: z.boolean().default(true), url: z.string().default('') });

/** SITE_INFO: the owner of the site. `seller`: the company's legal name, for receipts; without it the brand. `logo`: a small picture as a data URL; without it only the brand's name is shown. */
export const siteInfo = z.strictObject({
  brand: inBoth,
  company: inBoth,
  copyright: inBoth,
  seller: inBoth.optional(),
  record: z.strictObject({ text: z.string().min(1).max(200), url: z.string() }).nullable(),
  logo: z.string().default(''),
});
export type SiteInfo = z.output<typeof siteInfo>;

const childDownload = z.strictObject({
  id: z.int(),
  label: z.string().min(1).max(200),
  enLabel: z.string().min(1).max(200),
  version: z.string().max(64).default(''),
  val: z.string().default(''),
  childId: z.array(z.int()).default([]),
  /** Bytes of the file. */
  size: z.int().positive().optional(),
  /** Of the file, in hex. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i)
    .optional(),
  /** What the file needs to run, and what is new in it. */
  requires: inBoth.optional(),
  notes: inBoth.optional(),
});

/** SOFT_DOWNLOAD_CONFIG: the first item's children are the downloads; `val` is the link, `childId` the ids of the ones in its dialog. */
export const softDownloads = z
  .array(
    z.strictObject({
      id: z.int(),
      label: z.string().min(1).max(200),
      enLabel: z.string().min(1).max(200),
      children: z.array(childDownload).max(200),
    }),
  )
  .max(20);
export type SoftDownloads = z.output<typeof softDownloads>;

/**
 * CUSTOMER_SERVICE, never returned as it is. `referUrl`: the target of the QR code; `qr`: an existing code (such as WeChat's) as a data URL; an
 * account that is not `listed` is genuine but not shown.
 */
export const customerService = z
  .array(
    z.strictObject({
      platform: z.string().trim().min(1).max(64),
      accountList: z
        .array(
          z.strictObject({
            accountType: z.int(),
            account: z.string().trim().min(1).max(128),
            referUrl: z.string().default(''),
            qr: z.string().default(''),
            listed: z.boolean().default(true),
          }),
        )
        .max(100),
    }),
  )
  .max(50);
export type CustomerServiceDocument = z.output<typeof customerService>;
