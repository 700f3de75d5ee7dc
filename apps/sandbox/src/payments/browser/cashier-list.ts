/// <reference lib="dom" />
import { element, part } from '../../server/browser/element.js';
import type { CashierRow } from './cashier-row.js';
import { CASHIER_TEXTS } from './cashier-texts.js';
import { money, paymentMethod, orderStatus, timeLeft } from './cashier-view.js';

const REFRESH_MS = 2000;

/** Finished orders shown. */
const MAX_FINISHED = 30;

const texts = CASHIER_TEXTS[document.documentElement.lang.startsWith('zh') ? 'zh' : 'en'];
const [none, live] = [part('none', HTMLElement), part('live', HTMLElement)];
const [faults, faultNames, faultsOff] = [
  part('faults', HTMLElement),
  part('fault-names', HTMLElement),
  part('faults-off', HTMLButtonElement),
];

let rows: readonly CashierRow[] = [];
let tag = '';

function show(): void {
  const now = Date.now();
  const isWaiting = (row: CashierRow) => orderStatus(row, now) === 'waiting';
  const finished = rows.filter((row) => !isWaiting(row));
  showGroup('waiting', rows.filter(isWaiting));
  showGroup('done', finished.slice(0, MAX_FINISHED));
  const more = part('done', HTMLElement).querySelector('.more');
  if (more instanceof HTMLElement) more.hidden = finished.length <= MAX_FINISHED;
  none.hidden = rows.length > 0 || tag === '';
}

/** Existing nodes are kept, so that focus and scrolling survive a refresh. */
function showGroup(id: 'waiting' | 'done', group: readonly CashierRow[]): void {
  const section = part(id, HTMLElement);
  const list = section.querySelector('ul');
  if (!list) return;
  const now = Date.now();
  const known = new Map([...list.children].map((node) => [node.getAttribute('data-key'), node] as const));
  const nodes = group.map((row) => {
    const state = orderStatus(row, now);
    const key = `${row.gateway} ${row.orderNo} ${state}`;
    const node = known.get(key) ?? orderNode(row, { key, state });
    const left = node.querySelector('.left');
    if (left && row.expiresAt !== null) left.textContent = timeLeft(row.expiresAt, now);
    return node;
  });
  section.hidden = nodes.length === 0;
  if (nodes.length === list.children.length && nodes.every((node, index) => node === list.children[index])) return;
  const focused = document.activeElement;
  list.replaceChildren(...nodes);
  if (focused instanceof HTMLElement && list.contains(focused)) focused.focus({ preventScroll: true });
}

function orderNode(
  row: CashierRow,
  { key, state }: { key: string; state: ReturnType<typeof orderStatus> },
): HTMLElement {
  return element(
    'li',
    { 'data-key': key, 'data-state': state },
    element(
      'a',
      { href: `/cashier/${encodeURIComponent(row.orderNo)}` },
      element('span', { class: 'amount' }, money(row.amount)),
      element('span', { class: 'door' }, paymentMethod(row, texts)),
      element('code', { class: 'order-no' }, row.orderNo),
      element(
        'span',
        { class: 'state' },
        ...(state === 'waiting' && row.expiresAt !== null
          ? [texts.left, element('span', { class: 'left' })]
          : [texts[state]]),
      ),
    ),
  );
}

async function refresh(): Promise<void> {
  try {
    const answer = await fetch('/cashier', { headers: { accept: 'application/json', 'if-none-match': tag } });
    if (answer.status === 200) {
      rows = (await answer.json()) as CashierRow[];
      tag = answer.headers.get('etag') ?? '';
    } else if (answer.status !== 304) throw new Error(String(answer.status));
    await showFaults();
    setStatus(texts.live);
    delete live.dataset['lost'];
  } catch {
    live.dataset['lost'] = 'true';
    setStatus(texts.lost);
  }
  show();
}

async function showFaults(): Promise<void> {
  const answer = await fetch('/payments/faults');
  const state = (await answer.json()) as { faults: { mode: string; gateway?: string; left: number | null }[] };
  const inForce = state.faults.filter(({ left }) => left !== 0);
  faults.hidden = inForce.length === 0;
  const names = inForce.map(({ mode, gateway, left }) =>
    [gateway, mode, left && `× ${left}`].filter(Boolean).join(' '),
  );
  if (faultNames.textContent !== names.join(', ')) faultNames.textContent = names.join(', ');
}

function setStatus(words: string): void {
  if (live.textContent !== words) live.textContent = words;
}

async function poll(): Promise<void> {
  if (!document.hidden) await refresh();
  setTimeout(() => void poll(), REFRESH_MS);
}

faultsOff.addEventListener('click', () => {
  const none = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"mode":"none"}' };
  void fetch('/payments/faults', none).then(refresh);
});
document.addEventListener('visibilitychange', () => void (document.hidden || refresh()));
setInterval(show, 1000);
void poll();
