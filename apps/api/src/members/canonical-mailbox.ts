import { uniqueKey } from '@yiqiao/domain/members';

const GMAIL = new Set(['gmail.com', 'googlemail.com']);

/**
 * The mailbox behind an address: case, a `+tag` and the dots of Gmail name no other mailbox. Only gifts are counted by it
 * (once per mailbox, decisions §3); accounts stay unique by the address as written.
 */
export function canonicalMailbox(email: string): string {
  const key = uniqueKey(email);
  const at = key.lastIndexOf('@');
  const domain = key.slice(at + 1);
  const [name = ''] = key.slice(0, at).split('+');
  const local = name === '' ? key.slice(0, at) : name;
  return GMAIL.has(domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`;
}
