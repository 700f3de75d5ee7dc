import { domainToASCII } from 'node:url';
import { uniqueKey } from '@yiqiao/domain/members';
import type { Vault } from '../platform/vault.js';

/** A mail provider: its domains of the same mailboxes, and how it normalises the local part. */
type Provider = { domains: readonly string[]; local?: (name: string) => string };

/**
 * The domains of a row share their mailboxes; the first is canonical. Domains of one provider whose names belong to different people
 * (outlook.com and hotmail.com, yahoo.com and yahoo.co.jp) are not listed together.
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
      'yandex.ru',
      'yandex.com',
      'ya.ru',
      'narod.ru',
      'yandex.by',
      'yandex.kz',
      'yandex.ua',
      'yandex.uz',
      'yandex.com.tr',
      'yandex.com.am',
      'yandex.com.ge',
      'yandex.az',
      'yandex.co.il',
      'yandex.kg',
      'yandex.lt',
      'yandex.lv',
      'yandex.md',
      'yandex.tj',
      'yandex.tm',
      'yandex.ee',
      'yandex.fr',
    ],
    local: (name) => name.replaceAll('-', '.'),
  },
];

const BY_DOMAIN = new Map(PROVIDERS.flatMap((provider) => provider.domains.map((domain) => [domain, provider])));

/** Yahoo addresses have no hyphen: a suffix after one is a disposable address of the same mailbox. */
const YAHOO = /^(?:yahoo(?:\.[a-z]{2,3}){1,2}|ymail\.com|rocketmail\.com|myyahoo\.com)$/;

/**
 * The canonical mailbox of an address: without case, `+tag` and the variations that its provider ignores. Used only for gifts (once per
 * mailbox, decisions §3); accounts are unique by the address as written. At a provider that delivers `name+tag` to somebody else, one of the
 * two gets no gift.
 */
export function canonicalMailbox(email: string): string {
  const key = uniqueKey(email);
  const at = key.lastIndexOf('@');
  const domain = domainToASCII(key.slice(at + 1)) || key.slice(at + 1);
  const written = key.slice(0, at);
  const local = before(before(written, '+'), YAHOO.test(domain) ? '-' : '+');
  const provider = BY_DOMAIN.get(domain);
  return `${provider?.local?.(local) || local}@${provider?.domains[0] ?? domain}`;
}

const before = (text: string, mark: string): string => {
  const at = text.indexOf(mark);
  return at > 0 ? text.slice(0, at) : text;
};

/** The key of verification codes: a keyed digest, so that the table does not reveal the mailbox. */
export const mailboxKeyOf = (vault: Vault, email: string): string =>
  vault.hmac('verification-mailbox', uniqueKey(email));
