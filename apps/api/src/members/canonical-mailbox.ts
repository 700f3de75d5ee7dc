import { uniqueKey } from '@yiqiao/domain/members';

const GMAIL = new Set(['gmail.com', 'googlemail.com']);
/** Providers that are known to deliver `name+tag` to `name`; anywhere else it may be somebody else's mailbox. */
const TAGGING = new Set([
  ...GMAIL,
  'outlook.com',
  'hotmail.com',
  'live.com',
  'icloud.com',
  'me.com',
  'fastmail.com',
  'proton.me',
  'protonmail.com',
]);

/**
 * The mailbox behind an address: case names no other mailbox, nor does a `+tag` where the provider says so, nor do the dots of
 * Gmail. Only gifts are counted by it (once per mailbox, decisions §3); accounts stay unique by the address as written.
 */
export function canonicalMailbox(email: string): string {
  const key = uniqueKey(email);
  const at = key.lastIndexOf('@');
  const domain = key.slice(at + 1);
  const written = key.slice(0, at);
  const [name = ''] = written.split('+');
  const local = TAGGING.has(domain) && name !== '' ? name : written;
  return GMAIL.has(domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`;
}
