/// <reference lib="dom" />
import { element } from '../../server/browser/element.js';
import type { CashierNotice, CashierRow } from './cashier-row.js';
import type { CashierTexts } from './cashier-texts.js';

/** The notifications to the merchant, with every attempt and its response. */
export function noticeList(row: CashierRow, texts: CashierTexts): Node[] {
  if (row.notifications.length === 0) return [element('li', { class: 'quietly' }, texts.silent)];
  return row.notifications.map((notice) =>
    element(
      'li',
      { 'data-state': notice.state },
      element(
        'p',
        {},
        element('b', {}, nameOf(notice, texts)),
        element('span', { class: 'state' }, texts[notice.state], dueTime(notice)),
      ),
      element('ol', {}, ...notice.tries.map((one) => attemptNode(one, texts))),
    ),
  );
}

function nameOf({ event }: CashierNotice, texts: CashierTexts): string {
  return { paid: texts.noticePaid, refunded: texts.noticeRefunded, closed: texts.noticeClosed }[event];
}

function dueTime({ dueAt }: CashierNotice): Node | null {
  if (dueAt === null) return null;
  return element('time', { datetime: dueAt }, new Date(dueAt).toLocaleTimeString());
}

function attemptNode({ at, status, answer }: CashierNotice['tries'][number], texts: CashierTexts): Node {
  return element(
    'li',
    {},
    element('time', { datetime: at }, new Date(at).toLocaleTimeString()),
    element('code', {}, status === null ? texts.noAnswer : String(status)),
    element('code', { class: 'answer' }, answer),
  );
}
