/// <reference lib="dom" />
import { part } from '../../server/browser/element.js';
import type { CashierRow } from './cashier-row.js';
import { CASHIER_TEXTS } from './cashier-texts.js';
import { money, paymentMethod, orderStatus, timeLeft } from './cashier-view.js';
import { noticeList } from './notice-list.js';

const REFRESH_MS = 1000;

/** Delay before redirecting to the merchant after paying, in ms. */
const REDIRECT_DELAY_MS = 1500;

const texts = CASHIER_TEXTS[document.documentElement.lang.startsWith('zh') ? 'zh' : 'en'];
const address = location.pathname;
const [main, order, unknown] = [part('main', HTMLElement), part('order', HTMLElement), part('unknown', HTMLElement)];
const [state, message, notices] = [part('state', HTMLElement), part('said', HTMLElement), part('notices', HTMLElement)];
const [pay, silently] = [part('pay', HTMLButtonElement), part('silently', HTMLButtonElement)];
const back = part('back', HTMLAnchorElement);

let busy = false;
let shownNotices = '';

function show(row: CashierRow): void {
  const now = Date.now();
  const current = orderStatus(row, now);
  main.dataset['state'] = current;
  order.hidden = false;
  unknown.hidden = true;
  const fields: Record<string, string> = {
    amount: money(row.amount),
    'order-no': row.orderNo,
    subject: row.subject,
    door: paymentMethod(row, texts),
    left: row.expiresAt === null ? '–' : timeLeft(row.expiresAt, now),
  };
  for (const [id, text] of Object.entries(fields)) write(part(id, HTMLElement), text);
  write(state, texts[current]);
  const waiting = current === 'waiting';
  for (const button of [pay, silently]) button.hidden = !waiting;
  part('left-row', HTMLElement).hidden = !waiting;
  part('subject-row', HTMLElement).hidden = row.subject === row.orderNo;
  write(part('leave', HTMLElement), waiting ? texts.cancel : texts.toOrders);
  back.hidden = row.returnUrl === null;
  if (row.returnUrl !== null) back.href = row.returnUrl;
  showNotices(row);
}

function showNotices(row: CashierRow): void {
  const next = JSON.stringify([row.state, row.notifications]);
  if (next === shownNotices) return;
  shownNotices = next;
  notices.hidden = row.state !== 'paid';
  part('notice-list', HTMLElement).replaceChildren(...noticeList(row, texts));
}

/** Writes only changes, so that a screen reader does not repeat the same text every second. */
function write(node: HTMLElement, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

async function refresh(): Promise<void> {
  try {
    const answer = await fetch(address, { headers: { accept: 'application/json' } });
    if (answer.status === 404) {
      order.hidden = true;
      unknown.hidden = false;
    } else if (answer.ok) show((await answer.json()) as CashierRow);
    else throw new Error(String(answer.status));
    if (message.dataset['lost']) write(message, '');
    delete message.dataset['lost'];
  } catch {
    message.dataset['lost'] = 'true';
    write(message, texts.lost);
  }
}

async function submitPayment(query: '' | '?notify=0'): Promise<void> {
  if (busy) return;
  busy = true;
  pay.setAttribute('aria-busy', 'true');
  write(message, texts.paying);
  try {
    const answer = await fetch(`${address}/pay${query}`, { method: 'POST' });
    const { returnUrl, error } = (await answer.json()) as { returnUrl?: string | null; error?: string };
    if (error !== undefined) write(message, `${texts.failed}: ${error}`);
    else if (returnUrl) {
      write(message, texts.leading);
      setTimeout(() => location.assign(returnUrl), REDIRECT_DELAY_MS);
    } else write(message, '');
  } catch {
    write(message, texts.lost);
  }
  busy = false;
  pay.removeAttribute('aria-busy');
  await refresh();
}

async function poll(): Promise<void> {
  if (!document.hidden) await refresh();
  setTimeout(() => void poll(), REFRESH_MS);
}

pay.addEventListener('click', () => void submitPayment(''));
silently.addEventListener('click', () => void submitPayment('?notify=0'));
document.addEventListener('visibilitychange', () => void (document.hidden || refresh()));
void poll();
