import { customerService, siteInfo, softDownloads, usdtPayInfo } from '@yiqiao/contracts/site-documents';
import type { z } from 'zod';
import type { Config } from '../platform/config.js';
import type { Text } from '../platform/cli-messages.js';
import { isPicture } from './png-data-url.js';

/** The document to store, or the error; `at`: the first field that does not fit, such as `0.accountList.1.account`. */
export type Checked = { valued: unknown } | { wrong: Text; at?: string };

/** `links` and `pictures`: addresses for browsers, to be checked. `isPrivate`: only the product reads it. */
type DocumentRule<T extends z.ZodType = z.ZodType> = {
  readonly schema: T;
  readonly shape: string;
  readonly links: (document: z.output<T>) => readonly string[];
  readonly pictures?: (document: z.output<T>) => readonly string[];
  readonly isPrivate?: true;
};

const rule = <T extends z.ZodType>(row: DocumentRule<T>): DocumentRule => row;

/** Documents that the product reads. Others are not checked. */
const DOCUMENTS: Readonly<Record<string, DocumentRule>> = {
  USDT_PAY_INFO: rule({
    schema: usdtPayInfo.strict(),
    shape: '{"enabled": true, "url": "https://…"}',
    links: ({ url }) => [url],
  }),
  SITE_INFO: rule({
    schema: siteInfo,
    shape:
      '{"brand": {"zh", "en"}, "company": {"zh", "en"}, "copyright": {"zh", "en"}, "seller"?: {"zh", "en"}, "record": {"text", "url"} | null, "logo": "data:image/png;base64,…"}',
    links: ({ record }) => [record?.url ?? ''],
    pictures: ({ logo }) => [logo],
  }),
  SOFT_DOWNLOAD_CONFIG: rule({
    schema: softDownloads,
    shape:
      '[{"id", "label", "enLabel", "children": [{"id", "label", "enLabel", "version", "val", "childId": [id], "size", "sha256", "requires": {"zh", "en"}, "notes": {"zh", "en"}}]}]',
    links: (list) => list.flatMap(({ children }) => children.map(({ val }) => val)),
  }),
  CUSTOMER_SERVICE: rule({
    schema: customerService,
    shape: '[{"platform", "accountList": [{"accountType", "account", "referUrl", "qr", "listed"}]}]',
    links: (list) => list.flatMap(({ accountList }) => accountList.map(({ referUrl }) => referUrl)),
    pictures: (list) => list.flatMap(({ accountList }) => accountList.map(({ qr }) => qr)),
    isPrivate: true,
  }),
};

const rowOf = (id: string): DocumentRule | undefined => (Object.hasOwn(DOCUMENTS, id) ? DOCUMENTS[id] : undefined);

/** Whether a document is always private. */
export const isAlwaysPrivate = (id: string): boolean => rowOf(id)?.isPrivate === true;

/** Links must be HTTPS in production; an empty link is allowed. */
export function checkDocument(id: string, document: unknown, config: Pick<Config, 'production'>): Checked {
  const row = rowOf(id);
  if (!row) return { valued: document };
  const { data, error } = row.schema.safeParse(document);
  if (error) {
    const at = error.issues[0]?.path.join('.') ?? '';
    return { wrong: { zh: `${id} 应为 ${row.shape}`, en: `${id} is ${row.shape}.` }, at };
  }
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

/** A safe link: HTTPS (or HTTP outside production), with a host, without credentials. */
export function isSafeLink(link: string, { production }: Pick<Config, 'production'>): boolean {
  if (!URL.canParse(link)) return false;
  const { protocol, hostname, username, password } = new URL(link);
  const protocols = production ? ['https:'] : ['https:', 'http:'];
  return protocols.includes(protocol) && hostname !== '' && username === '' && password === '';
}
