/// <reference lib="dom" />
import { element } from '../../server/browser/element.js';
import type { VendorCall, VendorRow, VendorSwitch } from './vendor-row.js';
import type { VendorTexts } from './vendor-texts.js';
import { callText, resultText, labelOf, accountSummary, faultText } from './vendor-view.js';

/** Calls shown per account. */
const MAX_CALLS = 10;

/** The actions of an account row. */
export interface AccountActions {
  readonly setFault: (account: string, fault: { kind: string; times?: number }) => void;
  readonly reset: (account: string) => void;
  readonly recentCalls: (account: string) => Promise<readonly VendorCall[]>;
}

/** One account of the list. Its controls are created once, so that a refresh keeps the user's selection. */
export class AccountNode {
  readonly node: HTMLLIElement;
  readonly #summary = element('span', { class: 'sums' });
  readonly #switches = element('span', { class: 'pressed' });
  readonly #off: HTMLButtonElement;
  readonly #calls = element('ol', { class: 'vendor-calls', hidden: '' });
  readonly #more: HTMLButtonElement;
  #shown = '';
  readonly #account: string;
  readonly #texts: VendorTexts;
  readonly #actions: AccountActions;

  constructor(account: string, texts: VendorTexts, deeds: AccountActions) {
    this.#account = account;
    this.#texts = texts;
    this.#actions = deeds;
    this.#off = element('button', { type: 'button', class: 'plain', hidden: '' }, texts.off);
    this.#off.addEventListener('click', () => deeds.reset(account));
    this.#more = element('button', { type: 'button', class: 'plain', 'aria-expanded': 'false' }, texts.recent);
    this.#more.addEventListener('click', () => void this.#toggle());
    this.node = element(
      'li',
      { 'data-account': account },
      element('div', { class: 'vendor-head' }, element('code', {}, account), this.#summary, this.#more),
      element('div', { class: 'vendor-faults' }, this.#switches, this.#off, this.#form()),
      this.#calls,
    );
  }

  show(row: VendorRow): void {
    const active = row.switches.filter(({ left }) => left !== 0);
    const next = JSON.stringify([row, active]);
    if (next === this.#shown) return;
    this.#shown = next;
    const last = row.lastAt === null ? '' : ` · ${this.#texts.last} ${new Date(row.lastAt).toLocaleTimeString()}`;
    this.#summary.textContent = accountSummary(row, this.#texts) + last;
    this.#switches.textContent = active.map((one: VendorSwitch) => faultText(one, this.#texts)).join(', ');
    this.#off.hidden = row.switches.length === 0;
    this.node.dataset['failing'] = String(active.length > 0);
    this.#more.hidden = row.count === 0;
    if (!this.#calls.hidden) void this.#refreshCalls();
  }

  #form(): HTMLFormElement {
    const texts = this.#texts;
    const kinds = element(
      'select',
      { 'aria-label': `${texts.fault}: ${this.#account}`, required: '' },
      element('option', { value: '' }, texts.choose),
      ...FAULTS.map((kind) => element('option', { value: kind }, labelOf(kind, texts))),
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
      this.#actions.setFault(this.#account, { kind: kinds.value, ...(times.value && { times: Number(times.value) }) });
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
    const calls = await this.#actions.recentCalls(this.#account);
    this.#calls.replaceChildren(...calls.slice(0, MAX_CALLS).map((call) => this.#callNode(call)));
  }

  #callNode(call: VendorCall): Node {
    const texts = this.#texts;
    return element(
      'li',
      { 'data-ok': String(call.status === 200 && call.error === null) },
      element('time', { datetime: call.at }, new Date(call.at).toLocaleTimeString()),
      element('span', {}, callText(call, texts)),
      element('span', { class: 'end' }, resultText(call, texts)),
      element('span', { class: 'met' }, call.faults.map((kind) => labelOf(kind, texts)).join(', ')),
    );
  }
}

/** In display order. */
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
