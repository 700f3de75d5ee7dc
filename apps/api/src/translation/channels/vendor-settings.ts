import { CHANNEL_CODES, type ChannelCode } from '@yiqiao/domain/channels';
import { z } from 'zod';

/** The channels that are a vendor's service. */
export type VendorCode = Exclude<ChannelCode, 'offline'>;

export const VENDOR_CODES = CHANNEL_CODES.filter((code): code is VendorCode => code !== 'offline');

/** A secret that is sent in a header as it is. */
export const key = z.string().regex(/^[\x21-\x7e]+$/, 'printable ASCII without spaces');

export const word = z.string().regex(/^[\w.:/@+-]{1,100}$/, 'letters, digits and . : / @ + _ -');

/** The base URL of a vendor's API, without a slash at its end. */
export const address = z
  .url({ protocol: /^https?$/ })
  .refine((text) => !/[?#@]/.test(text), 'an address without a query, a fragment or a password')
  .transform((text) => text.replace(/\/+$/, ''));

const cap = z.number().int().min(1).max(1_000_000_000).nullable().default(null);

/** One account of TRANSLATION_UPSTREAMS_FILE. Absent fields default to the vendor's own settings. */
export const upstream = z.strictObject({
  code: z.enum(VENDOR_CODES),
  name: z.string().regex(/^[\w.-]{1,40}$/, 'up to 40 letters, digits and . _ -'),
  baseUrl: address.optional(),
  key: key.optional(),
  secret: key.optional(),
  region: word.optional(),
  model: word.optional(),
  weight: z.number().int().min(1).max(100).default(1),
  requestsPerSecond: z.number().positive().max(10_000).nullable().default(null),
  charsPerMinute: cap,
  charsPerDay: cap,
});
export type UpstreamSettings = z.output<typeof upstream>;
