/// <reference lib="dom" />
import type { Mail } from './mail-row.js';
import { element } from '../../server/browser/element.js';
import type { InboxTexts } from './inbox-texts.js';
import { codeIn, mailKey } from './mail-parts.js';

/** Time of day for today's mails, the date for older ones, in the browser's time zone. */
export function shortTime(at: string, now: Date): string {
  const time = new Date(at);
  const pair = (value: number) => String(value).padStart(2, '0');
  if (time.toDateString() === now.toDateString()) {
    return [time.getHours(), time.getMinutes(), time.getSeconds()].map(pair).join(':');
  }
  return [time.getFullYear(), time.getMonth() + 1, time.getDate()].map(pair).join('-');
}

/** Renders the list. Existing nodes are kept, so that focus and scrolling survive a refresh. */
export function showList(
  list: HTMLUListElement,
  { mails, open, texts }: { mails: readonly Mail[]; open: string | null; texts: InboxTexts },
): void {
  const known = new Map([...list.children].map((node) => [node.getAttribute('data-key'), node] as const));
  const rows = mails.map((mail) => {
    const key = mailKey(mail);
    const row = known.get(key) ?? mailRow(mail, texts);
    const link = row.querySelector('a');
    if (key === open) link?.setAttribute('aria-current', 'true');
    else link?.removeAttribute('aria-current');
    return row;
  });
  if (rows.length !== list.children.length || rows.some((row, index) => row !== list.children[index])) {
    const focused = document.activeElement;
    list.replaceChildren(...rows);
    if (focused instanceof HTMLElement && list.contains(focused)) focused.focus({ preventScroll: true });
  }
}

function mailRow(mail: Mail, texts: InboxTexts): HTMLLIElement {
  const code = codeIn(mail);
  const time = element('time', { datetime: mail.at, title: new Date(mail.at).toLocaleString() });
  time.textContent = shortTime(mail.at, new Date());
  return element(
    'li',
    { 'data-key': mailKey(mail) },
    element(
      'a',
      { href: `#${encodeURIComponent(mailKey(mail))}` },
      element('span', { class: 'subject' }, mail.subject || texts.noSubject),
      time,
      element('span', { class: 'to' }, mail.to),
      code === null ? null : element('span', { class: 'code' }, code),
    ),
  );
}
