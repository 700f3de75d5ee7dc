/// <reference lib="dom" />
import { part } from '../../server/browser/element.js';
import type { CashierRow } from './cashier-row.js';
import { CASHIER_TEXTS } from './cashier-texts.js';
import { money, payeeDoor, standing, timeLeft } from './cashier-view.js';
import { noticeList } from './notice-list.js';

const REFRESH = 1000;

/** How long a buyer reads that it worked before the merchant's page comes, in ms. */
const READING = 1500;

const texts = CASHIER_TEXTS[document.documentElement.lang.startsWith('zh') ? 'zh' : 'en'];
const address = location.pathname;
const [main, order, unknown] = [part('main', HTMLElement), part('order', HTMLElement), part('unknown', HTMLElement)];
const [state, said, notices] = [part('state', HTMLElement), part('said', HTMLElement), part('notices', HTMLElement)];
const [pay, silently] = [part('pay', HTMLButtonElement), part('silently', HTMLButtonElement)];
const back = part('back', HTMLAnchorElement);

let busy = false;
let shownNotices = '';

function show(row: CashierRow): void {
  const now = Date.now();
  const current = standing(row, now);
  main.dataset['state'] = current;
  order.hidden = false;
  unknown.hidden = true;
  const words: Record<string, string> = {
    amount: money(row.amount),
    'order-no': row.orderNo,
    subject: row.subject,
    door: payeeDoor(row, texts),
    left: row.expiresAt === null ? '–' : timeLeft(row.expiresAt, now),
  };
  for (const [id, text] of Object.entries(words)) write(part(id, HTMLElement), text);
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

/** Only what changed is written: a screen reader must not hear the same words every second. */
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
    if (said.dataset['lost']) write(said, '');
    delete said.dataset['lost'];
  } catch {
    said.dataset['lost'] = 'true';
    write(said, texts.lost);
  }
}

async function paid(query: '' | '?notify=0'): Promise<void> {
  if (busy) return;
  busy = true;
  pay.setAttribute('aria-busy', 'true');
  write(said, texts.paying);
  try {
    const answer = await fetch(`${address}/pay${query}`, { method: 'POST' });
    const { returnUrl, error } = (await answer.json()) as { returnUrl?: string | null; error?: string };
    if (error !== undefined) write(said, `${texts.failed}: ${error}`);
    else if (returnUrl) {
      write(said, texts.leading);
      setTimeout(() => location.assign(returnUrl), READING);
    } else write(said, '');
  } catch {
    write(said, texts.lost);
  }
  busy = false;
  pay.removeAttribute('aria-busy');
  await refresh();
}

async function everySecond(): Promise<void> {
  if (!document.hidden) await refresh();
  setTimeout(() => void everySecond(), REFRESH);
}

pay.addEventListener('click', () => void paid(''));
silently.addEventListener('click', () => void paid('?notify=0'));
document.addEventListener('visibilitychange', () => void (document.hidden || refresh()));
void everySecond();
