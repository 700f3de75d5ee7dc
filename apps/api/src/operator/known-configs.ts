import { usdtPayInfo } from '@yiqiao/contracts/site';
import type { Config } from '../platform/config.js';
import type { Text } from '../platform/speech.js';

/** The document as it is kept, or why it will not do. */
export type Checked = { valued: unknown } | { wrong: Text };
type Check = (document: unknown, config: Config) => Checked;

/** The documents that the product itself reads; any other is whatever its reader makes of it. */
const KNOWN: Readonly<Record<string, Check>> = { USDT_PAY_INFO: checkUsdt };

export function checkDocument(id: string, document: unknown, config: Config): Checked {
  const check = Object.hasOwn(KNOWN, id) ? KNOWN[id] : undefined;
  return check ? check(document, config) : { valued: document };
}

/** Members are sent to this page with their names: it is reached by HTTPS, except on a machine of one's own. */
function checkUsdt(document: unknown, { production }: Config): Checked {
  const parsed = usdtPayInfo.strict().safeParse(document);
  if (!parsed.success)
    return {
      wrong: {
        zh: 'USDT_PAY_INFO 应为 {"enabled": true 或 false, "url": "https://…"}',
        en: 'USDT_PAY_INFO is {"enabled": true or false, "url": "https://…"}.',
      },
    };
  const { url } = parsed.data;
  const protocols = production ? ['https:'] : ['https:', 'http:'];
  if (url !== '' && !protocols.includes(protocolOf(url)))
    return {
      wrong: {
        zh: `url 应以 ${protocols.map((each) => `${each}//`).join(' 或 ')} 开头，而不是 ${url}`,
        en: `The url begins with ${protocols.map((each) => `${each}//`).join(' or ')}, not ${url}`,
      },
    };
  return { valued: parsed.data };
}

const protocolOf = (url: string): string => (URL.canParse(url) ? new URL(url).protocol : '');
