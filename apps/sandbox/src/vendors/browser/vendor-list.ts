/// <reference lib="dom" />
import { element, part } from '../../server/browser/element.js';
import { AccountNode, type AccountActions } from './account-node.js';
import type { VendorCall, VendorRow } from './vendor-row.js';
import { VENDOR_TEXTS } from './vendor-texts.js';
import { labelOf } from './vendor-view.js';

const REFRESH_MS = 2000;

/** A second click within this time confirms "switch everything off", in ms. */
const CONFIRM_MS = 3000;

const texts = VENDOR_TEXTS[document.documentElement.lang.startsWith('zh') ? 'zh' : 'en'];
const [vendors, live, all] = [part('vendors', HTMLElement), part('live', HTMLElement), part('all', HTMLButtonElement)];
const lists = new Map<string, HTMLUListElement>();
const nodes = new Map<string, AccountNode>();

const actions: AccountActions = {
  setFault: (account, fault) => void changeSwitches('POST', { account, fault }),
  reset: (account) => void changeSwitches('DELETE', { account }),
  recentCalls: async (account) => {
    const answer = await fetch(`/vendors/calls?account=${encodeURIComponent(account)}`);
    return ((await answer.json()) as { calls: readonly VendorCall[] }).calls;
  },
};

async function changeSwitches(
  method: 'POST' | 'DELETE',
  body: { account: string; fault?: object } | null,
): Promise<void> {
  const query = method === 'DELETE' && body ? `?account=${encodeURIComponent(body.account)}` : '';
  const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(`/vendors/switches${query}`, { method, ...(method === 'POST' ? json : {}) });
  if (answer.ok) await refresh();
  else setStatus(texts.failed, 'lost');
}

function show(rows: readonly VendorRow[]): void {
  for (const row of rows) {
    let node = nodes.get(row.account);
    if (!node) {
      node = new AccountNode(row.account, texts, actions);
      nodes.set(row.account, node);
      listOf(row.vendor).append(node.node);
    }
    node.show(row);
  }
  const names = new Set(rows.map(({ account }) => account));
  for (const [account, { node }] of nodes) {
    if (names.has(account)) continue;
    node.remove();
    nodes.delete(account);
  }
}

function listOf(vendor: string): HTMLUListElement {
  let list = lists.get(vendor);
  if (!list) {
    list = element('ul', { class: 'accounts' });
    lists.set(vendor, list);
    vendors.append(element('section', {}, element('h2', {}, labelOf(vendor, texts)), list));
  }
  return list;
}

async function refresh(): Promise<void> {
  try {
    const answer = await fetch('/vendors', { headers: { accept: 'application/json' } });
    if (!answer.ok) throw new Error(String(answer.status));
    const { accounts } = (await answer.json()) as { accounts: readonly VendorRow[] };
    show(accounts);
    all.hidden = accounts.every(({ switches }) => switches.length === 0);
    setStatus(texts.live, 'live');
  } catch {
    setStatus(texts.lost, 'lost');
  }
}

function setStatus(words: string, state: 'live' | 'lost'): void {
  if (state === 'lost') live.dataset['lost'] = 'true';
  else delete live.dataset['lost'];
  if (live.textContent !== words) live.textContent = words;
}

all.addEventListener('click', () => {
  if (all.dataset['sure'] === 'true') {
    resetConfirmation();
    void changeSwitches('DELETE', null);
    return;
  }
  all.dataset['sure'] = 'true';
  all.textContent = texts.sure;
  setTimeout(resetConfirmation, CONFIRM_MS);
});

function resetConfirmation(): void {
  delete all.dataset['sure'];
  all.textContent = texts.resetAll;
}

async function poll(): Promise<void> {
  if (!document.hidden) await refresh();
  setTimeout(() => void poll(), REFRESH_MS);
}

document.addEventListener('visibilitychange', () => void (document.hidden || refresh()));
void poll();
