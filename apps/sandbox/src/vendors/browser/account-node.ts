/// <reference lib="dom" />
import { element } from '../../server/browser/element.js';
import type { VendorCall, VendorRow, VendorSwitch } from './vendor-row.js';
import type { VendorTexts } from './vendor-texts.js';
import { callWords, endWords, named, sums, switchWords } from './vendor-view.js';

/** Calls shown of an account. */
const MOST_CALLS = 10;

/** What the page can do to an account. */
export interface AccountDeeds {
  readonly press: (account: string, fault: { kind: string; times?: number }) => void;
  readonly reset: (account: string) => void;
  readonly recent: (account: string) => Promise<readonly VendorCall[]>;
}

/** One account of the list. Its controls are made once, so that a refresh never takes a choice away. */
export class AccountNode {
  readonly node: HTMLLIElement;
  readonly #sums = element('span', { class: 'sums' });
  readonly #switches = element('span', { class: 'pressed' });
  readonly #off: HTMLButtonElement;
  readonly #calls = element('ol', { class: 'vendor-calls', hidden: '' });
  readonly #more: HTMLButtonElement;
  #shown = '';
  readonly #account: string;
  readonly #texts: VendorTexts;
  readonly #deeds: AccountDeeds;

  constructor(account: string, texts: VendorTexts, deeds: AccountDeeds) {
    this.#account = account;
    this.#texts = texts;
    this.#deeds = deeds;
    this.#off = element('button', { type: 'button', class: 'plain', hidden: '' }, texts.off);
    this.#off.addEventListener('click', () => deeds.reset(account));
    this.#more = element('button', { type: 'button', class: 'plain', 'aria-expanded': 'false' }, texts.recent);
    this.#more.addEventListener('click', () => void this.#toggle());
    this.node = element(
      'li',
      { 'data-account': account },
      element('div', { class: 'vendor-head' }, element('code', {}, account), this.#sums, this.#more),
      element('div', { class: 'vendor-faults' }, this.#switches, this.#off, this.#form()),
      this.#calls,
    );
  }

  show(row: VendorRow): void {
    const inForce = row.switches.filter(({ left }) => left !== 0);
    const next = JSON.stringify([row, inForce]);
    if (next === this.#shown) return;
    this.#shown = next;
    const last = row.lastAt === null ? '' : ` · ${this.#texts.last} ${new Date(row.lastAt).toLocaleTimeString()}`;
    this.#sums.textContent = sums(row, this.#texts) + last;
    this.#switches.textContent = inForce.map((one: VendorSwitch) => switchWords(one, this.#texts)).join(', ');
    this.#off.hidden = row.switches.length === 0;
    this.node.dataset['failing'] = String(inForce.length > 0);
    this.#more.hidden = row.count === 0;
    if (!this.#calls.hidden) void this.#refreshCalls();
  }

  #form(): HTMLFormElement {
    const texts = this.#texts;
    const kinds = element(
      'select',
      { 'aria-label': `${texts.fault}: ${this.#account}`, required: '' },
      element('option', { value: '' }, texts.choose),
      ...FAULTS.map((kind) => element('option', { value: kind }, named(kind, texts))),
    );
    const times = element(
      'select',
      { 'aria-label': `${texts.times}: ${this.#account}` },
      element('option', { value: '' }, texts.always),
      ...['1', '2', '5', '10', '100'].map((value) => element('option', { value }, `× ${value}`)),
    );
    const press = element('button', { type: 'submit', class: 'quiet' }, texts.press);
    const form = element('form', {}, kinds, times, press);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#deeds.press(this.#account, { kind: kinds.value, ...(times.value && { times: Number(times.value) }) });
      kinds.value = '';
    });
    return form;
  }

  async #toggle(): Promise<void> {
    this.#calls.hidden = !this.#calls.hidden;
    this.#more.textContent = this.#calls.hidden ? this.#texts.recent : this.#texts.hide;
    this.#more.setAttribute('aria-expanded', String(!this.#calls.hidden));
    if (!this.#calls.hidden) await this.#refreshCalls();
  }

  async #refreshCalls(): Promise<void> {
    const calls = await this.#deeds.recent(this.#account);
    this.#calls.replaceChildren(...calls.slice(0, MOST_CALLS).map((call) => this.#callNode(call)));
  }

  #callNode(call: VendorCall): Node {
    const texts = this.#texts;
    return element(
      'li',
      { 'data-ok': String(call.status === 200 && call.error === null) },
      element('time', { datetime: call.at }, new Date(call.at).toLocaleTimeString()),
      element('span', {}, callWords(call, texts)),
      element('span', { class: 'end' }, endWords(call, texts)),
      element('span', { class: 'met' }, call.faults.map((kind) => named(kind, texts)).join(', ')),
    );
  }
}

/** In the order in which they are offered. */
const FAULTS = [
  'error',
  'rate',
  'quota',
  'auth',
  'block',
  'hang',
  'drop',
  'cut',
  'malformed',
  'empty',
  'count',
  'echo',
  'script',
  'lose',
  'lines',
  'delay',
  'pace',
] as const;
