/**
 * The HTML of a notice, rebuilt node by node and never inserted. The server sanitizes it when it is written; rendering does not rely on
 * that.
 */
import { createElement, type ReactNode } from 'react';

/** The part of a DOM node that is read. */
export type Piece = {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly namespaceURI?: string | null;
  readonly childNodes: Iterable<Piece>;
  readonly getAttribute?: (name: string) => string | null;
};

const ELEMENT = 1;
const TEXT = 3;
const XHTML = 'http://www.w3.org/1999/xhtml';

const SHOWN = new Set('p br b strong i em u ul ol li h3 h4 a blockquote code'.split(' '));
/** Removed with their content; other unknown elements are replaced by their content. */
const DROPPED = new Set(
  `script style template noscript noembed noframes iframe object embed applet textarea select option title xmp plaintext
   audio video canvas form`.split(/\s+/),
);
const EMPTY = new Set(['br']);

/** The target of a link, as the browser would resolve it: HTTPS, mailto or the site itself; null for anything else. */
export function safeTarget(href: string, origin: string): { href: string; away: boolean } | null {
  let url: URL;
  try {
    url = new URL(href, origin);
  } catch {
    return null;
  }
  if (url.username !== '' || url.password !== '') return null;
  // The path of `/..//elsewhere` is `//elsewhere`, which is another host.
  if (/^[/\\]/.test(href.trim()) && url.origin === origin && !url.pathname.startsWith('//'))
    return { href: url.pathname + url.search + url.hash, away: false };
  const absolute = /^(?:https:\/\/|mailto:)/i.test(href.trim());
  return absolute && (url.protocol === 'https:' || url.protocol === 'mailto:') ? { href: url.href, away: true } : null;
}

const AWAY = { target: '_blank', rel: 'noopener noreferrer' };

function propsOf(piece: Piece, name: string, origin: string): Record<string, unknown> | null {
  if (name !== 'a') return {};
  const target = safeTarget(piece.getAttribute?.('href') ?? '', origin);
  return target && { href: target.href, ...(target.away ? AWAY : {}) };
}

function nodesOf(piece: Piece, origin: string): ReactNode[] {
  return [...piece.childNodes].map((child, key) => nodeOf(child, key, origin));
}

function nodeOf(piece: Piece, key: number, origin: string): ReactNode {
  if (piece.nodeType === TEXT) return piece.nodeValue;
  // A field may shadow its form's nodeName.
  if (piece.nodeType !== ELEMENT || piece.namespaceURI !== XHTML || typeof piece.nodeName !== 'string') return null;
  const name = piece.nodeName.toLowerCase();
  if (DROPPED.has(name)) return null;
  const props = SHOWN.has(name) ? propsOf(piece, name, origin) : null;
  if (EMPTY.has(name)) return createElement(name, { key });
  const inside = nodesOf(piece, origin);
  return props ? createElement(name, { key, ...props }, ...inside) : inside;
}

/** The content of `root` as React nodes. */
export const rebuilt = (root: Piece, origin: string): ReactNode[] => nodesOf(root, origin);

/** The notice's content as React nodes, for a page of `origin`. */
export function readNoticeHtml(html: string, origin: string): ReactNode[] {
  // Nothing in a document without a window runs or is fetched. With its body opened it cannot become a frameset.
  const parsed = new DOMParser().parseFromString(`<body>${html}`, 'text/html');
  // An element named "body" or "querySelector" would shadow the document's own.
  const body = Document.prototype.querySelector.call(parsed, 'body');
  return body ? rebuilt(body, origin) : [];
}
