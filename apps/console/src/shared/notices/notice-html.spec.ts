import { describe, expect, it } from '@jest/globals';
import { createElement, Fragment } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { rebuilt, safeTarget, type Piece } from './notice-html.js';

const HERE = 'https://yiqiao.example';
const XHTML = 'http://www.w3.org/1999/xhtml';

/** A node as a parser makes it. What browsers make of hostile text is in e2e/notices.e2e.ts. */
function el(name: string, attributes: Record<string, string>, ...children: (Piece | string)[]): Piece {
  return {
    nodeType: 1,
    nodeName: name.toUpperCase(),
    nodeValue: null,
    namespaceURI: XHTML,
    childNodes: children.map((child) => (typeof child === 'string' ? text(child) : child)),
    getAttribute: (wanted) => attributes[wanted] ?? null,
  };
}
const text = (value: string): Piece => ({ nodeType: 3, nodeName: '#text', nodeValue: value, childNodes: [] });
const foreign = (piece: Piece): Piece => ({
  ...piece,
  nodeName: piece.nodeName.toLowerCase(),
  namespaceURI: 'http://www.w3.org/2000/svg',
});
const shown = (...pieces: (Piece | string)[]): string =>
  renderToStaticMarkup(createElement(Fragment, null, ...rebuilt(el('body', {}, ...pieces), HERE)));

const EVERY = {
  onclick: 'x()',
  onerror: 'x()',
  style: 'position:fixed',
  class: 'dlg',
  id: 'root',
  srcdoc: 'x',
  src: '/x',
};

describe('the content of a notice', () => {
  it('keeps what a notice is made of', () => {
    const link = el('a', { href: '/price' }, '价格');
    const list = el('ul', {}, el('li', {}, 'a < b'), el('li', {}, el('code', {}, '&amp;')));
    expect(shown(el('h3', {}, '维护'), el('p', {}, '今晚', el('b', {}, '22:00'), el('br', {}), link), list)).toBe(
      '<h3>维护</h3><p>今晚<b>22:00</b><br/><a href="/price">价格</a></p><ul><li>a &lt; b</li><li><code>&amp;amp;</code></li></ul>',
    );
  });

  it.each('p b strong i em u ul ol li h3 h4 blockquote code a br'.split(' '))(
    'leaves every attribute of %s out',
    (name) => {
      const content = name === 'br' ? [] : ['x'];
      expect(shown(el(name, { ...EVERY, href: 'javascript:x()' }, ...content))).toBe(
        name === 'br' ? '<br/>' : name === 'a' ? 'x' : `<${name}>x</${name}>`,
      );
    },
  );

  it.each(
    `script style template noscript iframe object embed applet textarea select option title xmp plaintext audio video
     canvas form`.split(/\s+/),
  )('leaves nothing of %s', (name) => {
    expect(shown('a', el(name, EVERY, 'x', el('p', {}, 'y')), 'b')).toBe('ab');
  });

  it.each('div span img table td font marquee input button details custom-element h1 main dialog'.split(' '))(
    'leaves of %s what stands in it',
    (name) => {
      expect(shown(el(name, EVERY, 'x', el('b', EVERY, 'y'), el('script', {}, 'z')))).toBe('x<b>y</b>');
    },
  );

  it('leaves nothing of drawings and formulas, nor of a comment', () => {
    const drawing = foreign(el('svg', EVERY, foreign(el('a', { href: '/x' }, 'x')), el('p', {}, 'y')));
    const comment: Piece = { nodeType: 8, nodeName: '#comment', nodeValue: '<script>', childNodes: [] };
    expect(shown('a', drawing, foreign(el('p', {}, 'z')), comment, 'b')).toBe('ab');
  });

  it('is not deceived by an element that bears another one in the place of its name', () => {
    const posing = { ...el('div', {}, 'x'), nodeName: el('p', {}) as unknown as string };
    expect(shown('a', posing, 'b')).toBe('ab');
  });

  it('shows text as text', () => {
    expect(shown('<img src=x onerror=x()>')).toBe('&lt;img src=x onerror=x()&gt;');
  });
});

describe('where a link leads', () => {
  it.each(['/price', '/productDesc/xsbk?a=1&b=2#top', ' /price', '/'])('stays in the page: %j', (href) => {
    expect(safeTarget(href, HERE)).toEqual({ href: href.trim(), away: false });
  });

  it.each(['https://status.example/a?b=1', 'HTTPS://status.example/', 'mailto:help@yiqiao.example'])(
    'leaves the site beside it: %s',
    (href) => {
      expect(safeTarget(href, HERE)).toEqual({ href: new URL(href).href, away: true });
      expect(shown(el('a', { href }, 'x'))).toContain('target="_blank" rel="noopener noreferrer">x</a>');
    },
  );

  it.each([
    '/..//evil.example',
    '/.//evil.example',
    '/%2e%2e//evil.example',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    ' javascript:alert(1)',
    '\u0001javascript:x',
    'vbscript:x',
    'data:text/html,x',
    'blob:https://x/y',
    'file:///etc/passwd',
    'ftp://x',
    'tel:1',
    'intent://x',
    'http://plain.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n\\evil',
    'https://yiqiao.example@evil.example',
    'https:evil.example',
    'https:/evil.example',
    'https:\\\\evil.example',
    'https://',
    'https://[',
    '',
    ' ',
    'price',
    '#top',
    '?a=1',
    './price',
    '../price',
  ])('is nowhere: %j', (href) => {
    expect(safeTarget(href, HERE)).toBeNull();
    expect(shown(el('a', { href }, 'x'))).toBe('x');
  });
});
