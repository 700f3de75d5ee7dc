import type { Mail } from './browser/mail-row.js';
import type { MailFile } from './mail-file.js';

export type MailContent = Pick<Mail, 'subject' | 'text' | 'html'>;

/** Rows kept; older ones make room. */
export const MAILS_KEPT = 500;

/** Characters kept in all, so that 500 huge mails neither fill the memory nor make one answer of half a gigabyte. */
const CHARACTERS_KEPT = 32 * 1024 * 1024;

/** The mails received, oldest first inside, newest first outside. */
export class Mailbox {
  #mails: Mail[];
  #characters = 0;
  #lastTime = 0;
  #version = 0;

  constructor(private readonly file: MailFile | null) {
    this.#mails = file?.read() ?? [];
    this.#characters = this.#mails.reduce((sum, mail) => sum + weight(mail), 0);
    this.#lastTime = Math.max(0, ...this.#mails.map((mail) => Date.parse(mail.at)));
    this.#makeRoom();
    file?.rewrite(this.#mails);
  }

  /** Grows with every change: whoever remembers it can tell whether there is anything new. */
  get version(): number {
    return this.#version;
  }

  /** Stores a mail once per recipient. Throws when it cannot be saved, so that the sender does not take it as delivered. */
  deliver(content: MailContent, recipients: readonly string[]): void {
    // Two letters of one millisecond still get two times, so that "newest first" has one answer.
    const time = Math.max(Date.now(), this.#lastTime + 1);
    const at = new Date(time).toISOString();
    const mails = recipients.map((to) => ({ to, ...content, at }));
    this.file?.append(mails);
    this.#lastTime = time;
    this.#version += 1;
    this.#mails.push(...mails);
    this.#characters += mails.reduce((sum, mail) => sum + weight(mail), 0);
    this.#makeRoom();
    if (this.file?.isLongerThan(2 * MAILS_KEPT, 2 * CHARACTERS_KEPT)) this.file.rewrite(this.#mails);
  }

  /** Newest first; with addresses, only what was sent to one of them (whatever the case of their letters). */
  list(to: readonly string[] = []): Mail[] {
    const wanted = addressesOf(to);
    return this.#mails.filter((mail) => wanted.size === 0 || wanted.has(mail.to.toLowerCase())).reverse();
  }

  /** Forgets everything, or what was sent to the given addresses. Answers how many were forgotten. */
  clear(to: readonly string[] = []): number {
    const wanted = addressesOf(to);
    const kept = wanted.size === 0 ? [] : this.#mails.filter((mail) => !wanted.has(mail.to.toLowerCase()));
    const cleared = this.#mails.length - kept.length;
    this.file?.rewrite(kept);
    this.#mails = kept;
    this.#characters = kept.reduce((sum, mail) => sum + weight(mail), 0);
    this.#version += 1;
    return cleared;
  }

  #makeRoom(): void {
    let leaving = 0;
    while (
      this.#mails.length - leaving > MAILS_KEPT ||
      (this.#characters > CHARACTERS_KEPT && leaving < this.#mails.length - 1)
    ) {
      const oldest = this.#mails[leaving];
      this.#characters -= oldest ? weight(oldest) : 0;
      leaving += 1;
    }
    this.#mails.splice(0, leaving);
  }
}

function weight(mail: Mail): number {
  return mail.subject.length + mail.text.length + mail.html.length;
}

function addressesOf(to: readonly string[]): ReadonlySet<string> {
  return new Set(to.map((address) => address.trim().toLowerCase()).filter((address) => address !== ''));
}
