import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Mail } from './browser/mail-row.js';

const OWNER_ONLY = 0o600;

/**
 * The mailbox on disk, one JSON row per line, so that a restarted sandbox still shows a code in use.
 * Writes are synchronous: a mail is stored before it is acknowledged, and there is one writer.
 */
export class MailFile {
  readonly #path: string;
  #lines = 0;
  #characters = 0;

  constructor(dataDir: string) {
    const folder = join(dataDir, 'sandbox');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#path = join(folder, 'mail.jsonl');
  }

  /** Reads the rows, oldest first; skips a line torn by a crash. */
  read(): Mail[] {
    if (!existsSync(this.#path)) return [];
    return readFileSync(this.#path, 'utf8').split('\n').flatMap(readRow);
  }

  append(mails: readonly Mail[]): void {
    const rows = lines(mails);
    appendFileSync(this.#path, rows, { mode: OWNER_ONLY });
    this.#lines += mails.length;
    this.#characters += rows.length;
  }

  /** Replaces the file atomically: a crash leaves either the old rows or the new ones. */
  rewrite(mails: readonly Mail[]): void {
    const rows = lines(mails);
    writeFileSync(`${this.#path}.new`, rows, { mode: OWNER_ONLY });
    renameSync(`${this.#path}.new`, this.#path);
    this.#lines = mails.length;
    this.#characters = rows.length;
  }

  isLongerThan(mostLines: number, mostCharacters: number): boolean {
    return this.#lines > mostLines || this.#characters > mostCharacters;
  }
}

function lines(mails: readonly Mail[]): string {
  return mails.map((mail) => `${JSON.stringify(mail)}\n`).join('');
}

function readRow(line: string): Mail[] {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    return [];
  }
  return isMail(row) ? [row] : [];
}

function isMail(row: unknown): row is Mail {
  if (typeof row !== 'object' || row === null) return false;
  const fields = row as Record<string, unknown>;
  const texts = ['to', 'subject', 'text', 'html', 'at'].every((name) => typeof fields[name] === 'string');
  return texts && !Number.isNaN(Date.parse(String(fields['at'])));
}
