import type { Mail } from './browser/mail-row.js';
import type { MailFile } from './mail-file.js';

export type MailContent = Pick<Mail, 'subject' | 'text' | 'html'>;

/** Rows kept; the oldest are evicted. */
export const MAILS_KEPT = 500;

/** Total characters kept, so that 500 huge mails neither fill the memory nor make a response of half a gigabyte. */
const CHARACTERS_KEPT = 32 * 1024 * 1024;

/** The mails received, stored oldest first, listed newest first. */
export class Mailbox {
  #mails: Mail[];
  #characters = 0;
  #lastTime = 0;
  #version = 0;

  constructor(private readonly file: MailFile | null) {
    this.#mails = file?.read() ?? [];
    this.#characters = this.#mails.reduce((sum, mail) => sum + lengthOf(mail), 0);
    this.#lastTime = Math.max(0, ...this.#mails.map((mail) => Date.parse(mail.at)));
    this.#evictOldest();
    file?.rewrite(this.#mails);
  }

  /** Increases with every change; serves as ETag. */
  get version(): number {
    return this.#version;
  }

  /** Stores a mail once per recipient. Throws when it cannot be saved, so that the sender retries. */
  deliver(content: MailContent, recipients: readonly string[]): void {
    // Two mails in the same millisecond get different times, so that the order is stable.
    const time = Math.max(Date.now(), this.#lastTime + 1);
    const at = new Date(time).toISOString();
    const mails = recipients.map((to) => ({ to, ...content, at }));
    this.file?.append(mails);
    this.#lastTime = time;
    this.#version += 1;
    this.#mails.push(...mails);
    this.#characters += mails.reduce((sum, mail) => sum + lengthOf(mail), 0);
    this.#evictOldest();
    if (this.file?.isLongerThan(2 * MAILS_KEPT, 2 * CHARACTERS_KEPT)) this.file.rewrite(this.#mails);
  }

  /** Newest first; with addresses, only mails to one of them (case-insensitive). */
  list(to: readonly string[] = []): Mail[] {
    const addresses = addressesOf(to);
    return this.#mails.filter((mail) => addresses.size === 0 || addresses.has(mail.to.toLowerCase())).reverse();
  }

  /** Deletes all mails, or those to the given addresses. Returns how many. */
  clear(to: readonly string[] = []): number {
    const wanted = addressesOf(to);
    const kept = wanted.size === 0 ? [] : this.#mails.filter((mail) => !wanted.has(mail.to.toLowerCase()));
    const cleared = this.#mails.length - kept.length;
    this.file?.rewrite(kept);
    this.#mails = kept;
    this.#characters = kept.reduce((sum, mail) => sum + lengthOf(mail), 0);
    this.#version += 1;
    return cleared;
  }

  #evictOldest(): void {
    let evicted = 0;
    while (
      this.#mails.length - evicted > MAILS_KEPT ||
      (this.#characters > CHARACTERS_KEPT && evicted < this.#mails.length - 1)
    ) {
      const oldest = this.#mails[evicted];
      this.#characters -= oldest ? lengthOf(oldest) : 0;
      evicted += 1;
    }
    this.#mails.splice(0, evicted);
  }
}

function lengthOf(mail: Mail): number {
  return mail.subject.length + mail.text.length + mail.html.length;
}

function addressesOf(to: readonly string[]): ReadonlySet<string> {
  return new Set(to.map((address) => address.trim().toLowerCase()).filter((address) => address !== ''));
}
