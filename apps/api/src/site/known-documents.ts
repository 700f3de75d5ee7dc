import { customerService, siteInfo, softDownloads, usdtPayInfo } from '@yiqiao/contracts/site-documents';
import type { z } from 'zod';
import type { Config } from '../platform/config.js';
import type { Text } from '../platform/cli-messages.js';
import { isPicture } from './small-picture.js';
import { isSafeLink } from './safe-link.js';

/** The document as it is kept, or why it will not do. */
export type Checked = { valued: unknown } | { wrong: Text };

/** `links` and `pictures` of a document: what a browser will be given as an address. `isPrivate`: read by the product only. */
type Known<T extends z.ZodType = z.ZodType> = {
  readonly schema: T;
  readonly shape: string;
  readonly links: (document: z.output<T>) => readonly string[];
  readonly pictures?: (document: z.output<T>) => readonly string[];
  readonly isPrivate?: true;
};

const known = <T extends z.ZodType>(row: Known<T>): Known => row;

/** The documents that the product itself reads; any other is whatever its reader makes of it. */
const KNOWN: Readonly<Record<string, Known>> = {
  USDT_PAY_INFO: known({
    schema: usdtPayInfo.strict(),
    shape: '{"enabled": true, "url": "https://…"}',
    links: ({ url }) => [url],
  }),
  SITE_INFO: known({
    schema: siteInfo,
    shape:
      '{"brand": {"zh", "en"}, "company": {"zh", "en"}, "copyright": {"zh", "en"}, "record": {"text", "url"} | null, "logo": "data:image/png;base64,…"}',
    links: ({ record }) => [record?.url ?? ''],
    pictures: ({ logo }) => [logo],
  }),
  SOFT_DOWNLOAD_CONFIG: known({
    schema: softDownloads,
    shape: '[{"id", "label", "enLabel", "children": [{"id", "label", "enLabel", "version", "val", "childId": [id]}]}]',
    links: (list) => list.flatMap(({ children }) => children.map(({ val }) => val)),
  }),
  CUSTOMER_SERVICE: known({
    schema: customerService,
    shape: '[{"platform", "accountList": [{"accountType", "account", "referUrl", "qr", "listed"}]}]',
    links: (list) => list.flatMap(({ accountList }) => accountList.map(({ referUrl }) => referUrl)),
    pictures: (list) => list.flatMap(({ accountList }) => accountList.map(({ qr }) => qr)),
    isPrivate: true,
  }),
};

const rowOf = (id: string): Known | undefined => (Object.hasOwn(KNOWN, id) ? KNOWN[id] : undefined);

/** Whether a document must not be read from outside whatever its setter says. */
export const isAlwaysPrivate = (id: string): boolean => rowOf(id)?.isPrivate === true;

/** Links lead to HTTPS, except on a machine of one's own; an empty one is none. */
export function checkDocument(id: string, document: unknown, config: Pick<Config, 'production'>): Checked {
  const row = rowOf(id);
  if (!row) return { valued: document };
  const { success, data } = row.schema.safeParse(document);
  if (!success) return { wrong: { zh: `${id} 应为 ${row.shape}`, en: `${id} is ${row.shape}.` } };
  const link = row.links(data).find((each) => each !== '' && !isSafeLink(each, config));
  if (link !== undefined) {
    const begin = config.production ? 'https://' : 'https:// / http://';
    return {
      wrong: {
        zh: `链接应以 ${begin} 开头，且不含用户名和密码：${link}`,
        en: `A link begins with ${begin} and names no user: ${link}`,
      },
    };
  }
  if (row.pictures?.(data).some((each) => each !== '' && !isPicture(each)))
    return {
      wrong: {
        zh: '图片应为 PNG，写成 data:image/png;base64,…，不超过 64 KiB',
        en: 'A picture is a PNG of at most 64 KiB, written data:image/png;base64,…',
      },
    };
  return { valued: data };
}
