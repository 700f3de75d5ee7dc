import type { Mail } from './mail-row.js';

/** A six-digit code standing by itself in the text, where Han characters may touch it; without text, in the subject or the markup. */
export function codeIn(mail: Pick<Mail, 'subject' | 'text' | 'html'>): string | null {
  const shown = mail.text || `${mail.subject} ${mail.html.replaceAll(/<style[\s\S]*?<\/style>|<[^>]*>/gi, ' ')}`;
  return /(?<![\p{Script=Latin}\p{N}#.,-])\d{6}(?![\p{N}.,-]?\d|[\p{Script=Latin}])/u.exec(shown)?.[0] ?? null;
}

/** The web addresses named in the text or the markup, each once, at most ten. Only http and https: nothing that runs. */
export function linksIn(mail: Pick<Mail, 'text' | 'html'>): string[] {
  const source = `${mail.text}\n${mail.html.replaceAll('&amp;', '&')}`;
  const found = source.match(/https?:\/\/[^\s<>"'`\\)\]}，。；！？、）】》」]+/giu) ?? [];
  const whole = found.map((address) => address.replace(/[.,;:!?]+$/, '')).filter((address) => URL.canParse(address));
  return [...new Set(whole)].slice(0, 10);
}

/** What a mail is called in the address bar: its time and recipient, which no two mails share. */
export function mailKey(mail: Pick<Mail, 'to' | 'at'>): string {
  return `${mail.at}~${mail.to}`;
}
