/// <reference lib="dom" />
import type { Mail } from './mail-row.js';
import { part } from '../../server/browser/element.js';
import { INBOX_TEXTS } from './inbox-texts.js';
import { showList } from './mail-list.js';
import { mailKey } from './mail-parts.js';
import { mailView } from './mail-view.js';

const REFRESH_MS = 2000;
const texts = INBOX_TEXTS[document.documentElement.lang.startsWith('zh') ? 'zh' : 'en'];
const [main, live, search] = [part('main', HTMLElement), part('live', HTMLElement), part('search', HTMLInputElement)];
const [list, emptyState, article] = [
  part('list', HTMLUListElement),
  part('none', HTMLElement),
  part('mail', HTMLElement),
];
const [clear, reset] = [part('clear', HTMLButtonElement), part('reset', HTMLButtonElement)];

let mails: readonly Mail[] = [];
let tag = '';
let shown: string | null = null;
let confirmTimer = 0;

/** The mail selected by the URL hash, or the newest. */
function openMail(found: readonly Mail[]): Mail | null {
  const named = location.hash.slice(1);
  return mails.find((mail) => encodeURIComponent(mailKey(mail)) === named) ?? found[0] ?? null;
}

function show(): void {
  const wanted = search.value.trim().toLowerCase();
  const found = mails.filter((mail) => mail.to.toLowerCase().includes(wanted));
  const open = openMail(found);
  const key = open && mailKey(open);
  showList(list, { mails: found, open: key, texts });
  main.dataset['view'] = open && location.hash.length > 1 ? 'mail' : 'list';
  clear.hidden = mails.length === 0;
  emptyState.hidden = found.length > 0;
  if (key !== shown) article.replaceChildren(...(open ? mailView(open, texts) : []));
  if (found.length === 0) showEmptyState(mails.length === 0);
  shown = key;
}

function showEmptyState(empty: boolean): void {
  part('none-title', HTMLElement).textContent = empty ? texts.empty : texts.unmatched;
  part('none-why', HTMLElement).textContent = empty ? texts.emptyWhy : texts.unmatchedWhy;
  reset.hidden = empty;
}

function filterByAddress(address: string): void {
  search.value = address;
  const query = address.trim() ? `?to=${encodeURIComponent(address.trim())}` : '';
  history.replaceState(null, '', `/mail${query}${location.hash}`);
  show();
}

async function refresh(): Promise<void> {
  try {
    const answer = await fetch('/mail', { headers: { accept: 'application/json', 'if-none-match': tag } });
    if (answer.status === 200) {
      const before = mails[0];
      mails = (await answer.json()) as Mail[];
      const arrived = tag !== '' && mails[0] && mails[0].at !== before?.at;
      tag = answer.headers.get('etag') ?? '';
      setStatus(arrived ? `${texts.arrived}: ${mails[0]?.to ?? ''}` : texts.live);
      show();
    } else if (answer.status !== 304) throw new Error(String(answer.status));
    else if (live.dataset['lost']) setStatus(texts.live);
    delete live.dataset['lost'];
  } catch {
    live.dataset['lost'] = 'true';
    setStatus(texts.lost);
  }
}

function setStatus(words: string): void {
  if (live.textContent !== words) live.textContent = words;
}

async function poll(): Promise<void> {
  if (!document.hidden) await refresh();
  setTimeout(() => void poll(), REFRESH_MS);
}

/** The first click asks for confirmation, a second within three seconds clears the inbox. */
function confirmClear(): void {
  clearTimeout(confirmTimer);
  const again = clear.dataset['sure'] === 'true';
  clear.dataset['sure'] = String(!again);
  clear.textContent = again ? texts.clear : texts.clearSure;
  if (again) void fetch('/mail', { method: 'DELETE' }).then(refresh);
  else
    confirmTimer = window.setTimeout(() => {
      clear.dataset['sure'] = 'false';
      clear.textContent = texts.clear;
    }, 3000);
}

function onKeyDown(event: KeyboardEvent): void {
  const typing = event.target instanceof HTMLInputElement;
  if (event.key === 'Escape' && typing) filterByAddress('');
  if (event.key === '/' && !typing) {
    event.preventDefault();
    search.focus();
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const inList = typing || event.target === document.body || list.contains(event.target as Node);
  if (step === undefined || !inList) return;
  event.preventDefault();
  const links = [...list.querySelectorAll('a')];
  const focused = links.findIndex((link) => link === document.activeElement);
  const at = focused === -1 ? links.findIndex((link) => link.getAttribute('aria-current') === 'true') : focused;
  const next = links[typing ? 0 : Math.min(Math.max(at + step, 0), links.length - 1)];
  next?.focus();
  if (!next || !matchMedia('(min-width: 769px)').matches) return;
  location.replace(next.href);
  show();
}

search.value = new URLSearchParams(location.search).get('to') ?? '';
search.addEventListener('input', () => filterByAddress(search.value));
clear.addEventListener('click', confirmClear);
reset.addEventListener('click', () => {
  filterByAddress('');
  search.focus();
});
addEventListener('hashchange', show);
addEventListener('keydown', onKeyDown);
document.addEventListener('visibilitychange', () => void (document.hidden || refresh()));
void poll();
