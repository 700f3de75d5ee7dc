import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { MailFile } from './mail-file.js';
import { Mailbox, MAILS_KEPT } from './mailbox.js';

const content = (subject: string, text = '') => ({ subject, text, html: '' });
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailbox-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the mailbox', () => {
  it('keeps the newest 500', () => {
    const mailbox = new Mailbox(null);
    for (let n = 1; n <= MAILS_KEPT + 20; n += 1) mailbox.deliver(content(String(n)), ['a@example.com']);
    const subjects = mailbox.list().map((mail) => mail.subject);
    expect(subjects).toHaveLength(500);
    expect([subjects[0], subjects.at(-1)]).toEqual(['520', '21']);
  });

  it('makes room sooner for huge mails', () => {
    const mailbox = new Mailbox(null);
    const million = 'x'.repeat(1_000_000);
    for (let n = 1; n <= 60; n += 1) mailbox.deliver(content(String(n), million), ['a@example.com']);
    expect(mailbox.list()).toHaveLength(33);
    expect(mailbox.list()[0]?.subject).toBe('60');
    mailbox.clear();
    mailbox.deliver(content('after'), ['a@example.com']);
    expect(mailbox.list()).toHaveLength(1);
  });

  it('keeps its mails after a restart, without a truncated last line', () => {
    const path = join(folder, 'sandbox/mail.jsonl');
    const first = new Mailbox(new MailFile(folder));
    first.deliver(content('一'), ['a@example.com', 'b@example.com']);
    first.deliver(content('two\nlines'), ['a@example.com']);
    appendFileSync(path, '{"to":"a@example.com","sub');
    const second = new Mailbox(new MailFile(folder));
    expect(second.list()).toEqual(first.list());
    second.deliver(content('three'), ['a@example.com']);
    const third = new Mailbox(new MailFile(folder));
    expect(third.list().map((mail) => mail.subject)).toEqual(['three', 'two\nlines', '一', '一']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('deletes mails on disk too', () => {
    const mailbox = new Mailbox(new MailFile(folder));
    mailbox.deliver(content('secret'), ['a@example.com']);
    mailbox.clear();
    expect(new Mailbox(new MailFile(folder)).list()).toEqual([]);
    expect(readFileSync(join(folder, 'sandbox/mail.jsonl'), 'utf8')).toBe('');
  });

  it('keeps its file below twice its own size', () => {
    const mailbox = new Mailbox(new MailFile(folder));
    for (let n = 1; n <= 2 * MAILS_KEPT + 10; n += 1) mailbox.deliver(content(String(n)), ['a@example.com']);
    const rows = readFileSync(join(folder, 'sandbox/mail.jsonl'), 'utf8').trim().split('\n');
    expect(rows.length).toBeLessThan(2 * MAILS_KEPT);
    expect(new Mailbox(new MailFile(folder)).list()).toEqual(mailbox.list());
  });
});
