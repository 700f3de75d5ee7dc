/** The documents that have a form. */
import { KNOWN_DOCUMENTS } from '@yiqiao/contracts/operator/documents';
import {
  type CustomerServiceDocument,
  customerService,
  type SiteInfo,
  siteInfo,
  type SoftDownloads,
  softDownloads,
  usdtPayInfo,
} from '@yiqiao/contracts/site-documents';
import type { z } from 'zod';

export type Known = (typeof KNOWN_DOCUMENTS)[number];
export type UsdtPayInfo = z.output<typeof usdtPayInfo>;

export const isKnown = (id: string): id is Known => (KNOWN_DOCUMENTS as readonly string[]).includes(id);

const SCHEMAS: Record<Known, z.ZodType> = {
  SITE_INFO: siteInfo,
  CUSTOMER_SERVICE: customerService,
  SOFT_DOWNLOAD_CONFIG: softDownloads,
  USDT_PAY_INFO: usdtPayInfo,
};

const NOTHING = { zh: '', en: '' };

/** What the form of a document that was never saved begins with. */
export const BLANK = {
  SITE_INFO: { brand: NOTHING, company: NOTHING, copyright: NOTHING, record: null, logo: '' } satisfies SiteInfo,
  CUSTOMER_SERVICE: [] satisfies CustomerServiceDocument,
  SOFT_DOWNLOAD_CONFIG: [] satisfies SoftDownloads,
  USDT_PAY_INFO: { enabled: false, url: '' } satisfies UsdtPayInfo,
} as const;

/** What a form cannot show: another type of value, or a field that it does not know. */
const SHAPE = new Set(['invalid_type', 'unrecognized_keys', 'invalid_union', 'invalid_value']);

/** The document as its form edits it; null when it has another shape, which only the raw text can mend. */
export function formValue(id: Known, document: unknown): unknown {
  const { data, error } = SCHEMAS[id].safeParse(document);
  if (!error) return data;
  return error.issues.some(({ code }) => SHAPE.has(code)) ? null : document;
}

/** The paths of the fields that the check would refuse, such as `record.text`. */
export const wrongFields = (id: Known, document: unknown): ReadonlySet<string> =>
  new Set(SCHEMAS[id].safeParse(document).error?.issues.map(({ path }) => path.join('.')));
