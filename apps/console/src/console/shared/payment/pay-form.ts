import { freshKey } from '../../../shared/api/fresh-key.js';
import { messagesOf } from '../../../shared/i18n/messages.js';

/**
 * The payment form that a gateway returns to be posted to it (decisions §5: ALI_NATIVE). Its HTML is untrusted and never inserted: it is
 * parsed, validated and rebuilt node by node.
 */
export type PayForm = { action: string; fields: readonly (readonly [name: string, value: string])[] };

const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  HTML: [],
  HEAD: [],
  BODY: [],
  FORM: ['action', 'method', 'name', 'id', 'accept-charset', 'enctype'],
  INPUT: ['type', 'name', 'value', 'id'],
};
/** Required by the gateway, in the query of the action or among the fields. */
const NEEDED = ['method', 'app_id', 'sign', 'biz_content'];
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

// Called on the prototypes, because an input named "getAttribute" would shadow the form's own method.
const attribute = (element: Element, name: string): string | null => Element.prototype.getAttribute.call(element, name);
const elementsOf = (html: string): Element[] => [
  ...Document.prototype.querySelectorAll.call(new DOMParser().parseFromString(html, 'text/html'), '*'),
];

const isHarmless = (element: Element): boolean =>
  Element.prototype.getAttributeNames
    .call(element)
    .every((name) => ATTRIBUTES[element.tagName]?.includes(name) === true) &&
  Object.hasOwn(ATTRIBUTES, element.tagName);

/** HTTPS only; plain HTTP is allowed to the same host, for local development. */
export function safePaymentUrl(address: string, page: Pick<Location, 'protocol' | 'hostname'>): URL | null {
  const url = URL.parse(address);
  if (!url || url.username !== '' || url.password !== '') return null;
  if (url.protocol === 'https:') return url;
  const near = LOOPBACK.test(url.hostname) || url.hostname === page.hostname;
  return url.protocol === 'http:' && page.protocol === 'http:' && near ? url : null;
}

/** Null unless the HTML is exactly one form with hidden fields and an allowed action. */
export function readPayForm(html: string, page: Pick<Location, 'protocol' | 'hostname'> = location): PayForm | null {
  const elements = elementsOf(html);
  if (!elements.every(isHarmless)) return null;
  const [form, ...more] = elements.filter(({ tagName }) => tagName === 'FORM');
  const inputs = elements.filter(({ tagName }) => tagName === 'INPUT');
  if (!form || more.length > 0 || attribute(form, 'method')?.toLowerCase() !== 'post') return null;
  const action = safePaymentUrl(attribute(form, 'action') ?? '', page);
  if (action === null || inputs.some((input) => attribute(input, 'type')?.toLowerCase() !== 'hidden')) return null;
  const fields = inputs.map((input) => [attribute(input, 'name') ?? '', attribute(input, 'value') ?? ''] as const);
  const given = new Set([...action.searchParams, ...fields].filter(([, value]) => value !== '').map(([name]) => name));
  if (given.has('') || fields.some(([name]) => name === '') || !NEEDED.every((name) => given.has(name))) return null;
  return { action: action.href, fields };
}

/**
 * Posts the form into the tab with this window name, as GBK (specification §4): its values are ASCII, so the bytes equal the signed ones.
 */
export function submitPayForm({ action, fields }: PayForm, tabName: string): void {
  const form = document.createElement('form');
  form.method = 'POST';
  form.action = action;
  form.acceptCharset = 'GBK';
  form.target = tabName;
  form.hidden = true;
  for (const [name, value] of fields) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  HTMLFormElement.prototype.submit.call(form); // a field may be named "submit"
  form.remove();
}

/** A tab of ours, opened in advance for the gateway's page. */
type PayTab = { submit: (form: PayForm) => boolean; close: () => void };

const say = messagesOf('payment');

/** Must be called synchronously from the click: browsers block pop-ups opened later. Null when blocked. */
export function openPayTab(): PayTab | null {
  const name = `pay-${freshKey()}`;
  const tab = window.open('about:blank', name);
  if (!tab) return null;
  tab.document.title = say('tabTitle');
  tab.document.body.style.cssText =
    'color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; padding: 15vh 24px; text-align: center';
  tab.document.body.textContent = say('opening');
  return {
    /** False when the user has closed the tab in the meantime. */
    submit: (form) => {
      if (tab.closed) return false;
      tab.opener = null; // the gateway's page must not control ours
      submitPayForm(form, name);
      return true;
    },
    close: () => tab.close(),
  };
}
