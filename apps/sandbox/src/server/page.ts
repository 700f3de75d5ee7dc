import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Site } from './sandbox-module.js';
import { pageLanguage, type Bilingual, type Language } from './language.js';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes untrusted text for HTML, attribute values included. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
}

/** A page of the sandbox. `body` and `head` are trusted markup and must not contain unescaped input. */
export interface PageView {
  readonly path: string;
  readonly title: Bilingual;
  readonly head?: string;
  readonly body: (language: Language) => string;
}

/**
 * Scripts from this origin only. Inline styles are allowed because the frame that shows a mail inherits this policy
 * and mails use inline styles. No URL may be framed, so a link inside a mail does not navigate.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'img-src data:',
  "connect-src 'self'",
  "frame-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const MARK_PATHS =
  '<path class="mark-near" d="M4.5 15a11.5 11.5 0 0 1 23 0" stroke-width="3.2"/>' +
  '<path class="mark-near" d="M1 15h30" stroke-width="1.6"/>' +
  '<path class="mark-far" d="M4.5 18.5a11.5 11.5 0 0 0 23 0" stroke-width="3.2"/>';

/** The bridge illustration of empty states. */
export const BRIDGE =
  '<svg viewBox="0 0 160 64" fill="none" aria-hidden="true">' +
  '<path d="M24 40a56 34 0 0 1 112 0M8 40h144"/><path class="water" d="M0 48h160"/></svg>';

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="#086F7D">' +
    MARK_PATHS.replaceAll(/ class="[^"]*"/g, '') +
    '</svg>',
)}`;

const BRAND: Bilingual = { zh: '译桥', en: 'Yiqiao' };
const SANDBOX: Bilingual = { zh: '沙箱', en: 'Sandbox' };
const SKIP: Bilingual = { zh: '跳到正文', en: 'Skip to content' };
const MENU: Bilingual = { zh: '沙箱', en: 'Sandbox' };

/** Sends a page in the reader's language with the CSP that keeps hostile mails inert. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, page: { site: Site; view: PageView }) {
  const language = pageLanguage(request.headers['accept-language']);
  return reply
    .headers({
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
      vary: 'Accept, Accept-Language',
      'cross-origin-opener-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(renderPage(page.site, { view: page.view, language }));
}

function renderPage(site: Site, { view, language }: { view: PageView; language: Language }): string {
  const links = site.entries
    .map(({ href, name }) => {
      const current = href === view.path ? ' aria-current="page"' : '';
      return `<a href="${href}"${current}>${name[language]}</a>`;
    })
    .join('');
  return `<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${view.title[language]} · ${BRAND[language]} ${SANDBOX[language]}</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="/style/sandbox.css">
${view.head ?? ''}
</head>
<body>
<a class="skip" href="#main">${SKIP[language]}</a>
<header class="top">
<a class="logo" href="/"><svg viewBox="0 0 32 32" fill="none" aria-hidden="true">${MARK_PATHS}</svg><b>${BRAND[language]}</b><i>${SANDBOX[language]}</i></a>
<nav aria-label="${MENU[language]}">${links}</nav>
</header>
${view.body(language)}
</body>
</html>
`;
}
