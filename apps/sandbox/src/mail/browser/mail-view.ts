/// <reference lib="dom" />
import { element } from '../../server/browser/element.js';
import type { Mail } from './mail-row.js';
import type { InboxTexts } from './inbox-texts.js';
import { codeIn, linksIn } from './mail-parts.js';

/** Renders a mail: header, code, links, and the body as HTML or plain text. */
export function mailView(mail: Mail, texts: InboxTexts): Node[] {
  const code = codeIn(mail);
  const links = linksIn(mail);
  return [
    element('a', { class: 'back', href: '#' }, `← ${texts.back}`),
    element('h2', {}, mail.subject || texts.noSubject),
    element(
      'dl',
      { class: 'envelope' },
      ...field(texts.to, mail.to),
      ...field(texts.at, element('time', { datetime: mail.at }, new Date(mail.at).toLocaleString())),
    ),
    ...(code === null ? [] : [codeBox(code, texts)]),
    ...(links.length === 0 ? [] : [linkList(links, texts)]),
    ...bodies(mail, texts),
  ];
}

function field(name: string, value: Node | string): Node[] {
  return [element('div', {}, element('dt', {}, name), element('dd', {}, value))];
}

function codeBox(code: string, texts: InboxTexts): HTMLElement {
  const button = element('button', { type: 'button', class: 'primary' }, texts.copy);
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(code).then(
      () => showBriefly(button, { now: texts.copied, then: texts.copy }),
      () => showBriefly(button, { now: texts.copyFailed, then: texts.copy }),
    );
  });
  const shown = element('output', { class: 'code' }, code);
  return element('div', { class: 'code-box' }, element('span', { class: 'label' }, texts.code), shown, button);
}

function showBriefly(button: HTMLButtonElement, words: { now: string; then: string }): void {
  button.textContent = words.now;
  setTimeout(() => (button.textContent = words.then), 2000);
}

function linkList(links: readonly string[], texts: InboxTexts): HTMLElement {
  const items = links.map((href) =>
    element('li', {}, element('a', { href, target: '_blank', rel: 'noopener noreferrer' }, href)),
  );
  return element(
    'div',
    { class: 'links' },
    element('span', { class: 'label' }, texts.links),
    element('ul', {}, ...items),
  );
}

function bodies(mail: Mail, texts: InboxTexts): Node[] {
  const page = () => element('iframe', { ...frameAttributes(mail.html), title: texts.html, class: 'paper' });
  const plain = () => element('pre', { class: 'paper', tabindex: '0' }, mail.text);
  if (!mail.html && !mail.text) return [element('p', { class: 'empty' }, texts.noBody)];
  if (!mail.html || !mail.text) return [mail.html ? page() : plain()];
  const holder = element('div', { class: 'body', role: 'tabpanel', id: 'body' }, page());
  return [tabs(texts, (kind) => holder.replaceChildren(kind === 'html' ? page() : plain())), holder];
}

function tabs(texts: InboxTexts, show: (kind: 'html' | 'text') => void): HTMLElement {
  const kinds = ['html', 'text'] as const;
  const buttons = kinds.map((kind) =>
    element('button', { type: 'button', role: 'tab', 'aria-controls': 'body' }, texts[kind]),
  );
  const select = (chosen: number) => {
    buttons.forEach((button, index) => {
      button.setAttribute('aria-selected', String(index === chosen));
      button.tabIndex = index === chosen ? 0 : -1;
    });
    show(kinds[chosen] ?? 'html');
  };
  buttons.forEach((button, index) => {
    button.addEventListener('click', () => select(index));
    button.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
      event.preventDefault();
      select(1 - index);
      buttons[1 - index]?.focus();
    });
  });
  select(0);
  return element('div', { class: 'tabs', role: 'tablist', 'aria-label': texts.bodies }, ...buttons);
}

/**
 * Start of the document that shows a mail's markup. Its policy precedes the first byte of the mail and allows no scripts
 * and no external pictures, fonts or styles.
 */
const DOCUMENT_HEAD =
  '<!doctype html><html><head><meta charset="utf-8">' +
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">` +
  '<meta name="referrer" content="no-referrer"><base target="_blank">' +
  '<style>:root{color-scheme:light}body{margin:16px;background:#fff;color:#12242b;overflow-wrap:anywhere;' +
  'font:15px/1.6 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}img{max-width:100%}</style></head><body>';

/** The `srcdoc` of a mail's markup. */
export function mailDocument(html: string): string {
  return DOCUMENT_HEAD + html;
}

/** Attributes of the iframe. An empty `sandbox` forbids scripts, forms, pop-ups, top navigation and same-origin access. */
export function frameAttributes(html: string): Record<string, string> {
  return { sandbox: '', referrerpolicy: 'no-referrer', srcdoc: mailDocument(html) };
}
