import type { Mail } from './mail-row.js';

/** Finds a standalone six-digit code, which Han characters may touch, in the text; without text, in subject or markup. */
export function codeIn(mail: Pick<Mail, 'subject' | 'text' | 'html'>): string | null {
  const shown = mail.text || `${mail.subject} ${mail.html.replaceAll(/<style[\s\S]*?<\/style>|<[^>]*>/gi, ' ')}`;
  return /(?<![\p{Script=Latin}\p{N}#.,-])\d{6}(?![\p{N}.,-]?\d|[\p{Script=Latin}])/u.exec(shown)?.[0] ?? null;
}

/** The distinct http and https URLs in text or markup, at most ten. */
export function linksIn(mail: Pick<Mail, 'text' | 'html'>): string[] {
  const source = `${mail.text}\n${mail.html.replaceAll('&amp;', '&')}`;
  const found = source.match(/https?:\/\/[^\s<>"'`\\)\]}，。；！？、）】》」]+/giu) ?? [];
  const whole = found.map((address) => address.replace(/[.,;:!?]+$/, '')).filter((address) => URL.canParse(address));
  return [...new Set(whole)].slice(0, 10);
}

/** The key of a mail in the URL hash: its time and recipient, which are unique together. */
export function mailKey(mail: Pick<Mail, 'to' | 'at'>): string {
  return `${mail.at}~${mail.to}`;
}
