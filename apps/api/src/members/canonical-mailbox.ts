import { domainToASCII } from 'node:url';
import { uniqueKey } from '@yiqiao/domain/members';

/** How a provider reads the part before the @, and its domains that reach the same mailbox. */
type Provider = { domains: readonly string[]; local?: (name: string) => string };

/**
 * Domains of one row are one mailbox, called by the first. Providers at which the same name of another domain is somebody else's
 * (outlook.com and hotmail.com, yahoo.com and yahoo.co.jp) have no row for that.
 */
const PROVIDERS: readonly Provider[] = [
  { domains: ['gmail.com', 'googlemail.com'], local: (name) => name.replaceAll('.', '') },
  {
    domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'],
    local: (name) => name.replaceAll(/[._-]/g, ''),
  },
  { domains: ['icloud.com', 'me.com', 'mac.com'] },
  { domains: ['qq.com', 'vip.qq.com', 'foxmail.com'] },
  { domains: ['zoho.com', 'zohomail.com'] },
  { domains: ['zoho.eu', 'zohomail.eu'] },
  { domains: ['zoho.in', 'zohomail.in'] },
  { domains: ['zoho.com.cn', 'zohomail.cn'] },
  { domains: ['fastmail.com', 'fastmail.fm'] },
  {
    domains: [
      ...['yandex.ru', 'yandex.com', 'ya.ru', 'narod.ru', 'yandex.by', 'yandex.kz', 'yandex.ua', 'yandex.uz'],
      ...['yandex.com.tr', 'yandex.com.am', 'yandex.com.ge', 'yandex.az', 'yandex.co.il', 'yandex.kg', 'yandex.lt'],
      ...['yandex.lv', 'yandex.md', 'yandex.tj', 'yandex.tm', 'yandex.ee', 'yandex.fr'],
    ],
    local: (name) => name.replaceAll('-', '.'),
  },
];

const BY_DOMAIN = new Map(PROVIDERS.flatMap((provider) => provider.domains.map((domain) => [domain, provider])));

/** Yahoo's own addresses have no hyphen: what follows one is a disposable address of the same mailbox. */
const YAHOO = /^(?:yahoo(?:\.[a-z]{2,3}){1,2}|ymail\.com|rocketmail\.com|myyahoo\.com)$/;

/**
 * The mailbox behind an address: neither case nor a `+tag` names another one, at no provider, nor do the spellings that a provider
 * takes for the same. Only gifts are counted by it (once per mailbox, decisions §3); accounts stay unique by the address as written.
 * At a provider that does deliver `name+tag` to somebody else, one of the two gets no gift.
 */
export function canonicalMailbox(email: string): string {
  const key = uniqueKey(email);
  const at = key.lastIndexOf('@');
  const domain = domainToASCII(key.slice(at + 1)) || key.slice(at + 1);
  const written = key.slice(0, at);
  const local = upTo(upTo(written, '+'), YAHOO.test(domain) ? '-' : '+');
  const provider = BY_DOMAIN.get(domain);
  return `${provider?.local?.(local) || local}@${provider?.domains[0] ?? domain}`;
}

const upTo = (text: string, mark: string): string => {
  const at = text.indexOf(mark);
  return at > 0 ? text.slice(0, at) : text;
};
