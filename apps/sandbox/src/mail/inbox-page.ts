import type { Language } from '../server/language.js';
import { BRIDGE, type PageView } from '../server/page.js';
import { INBOX_TEXTS } from './browser/inbox-texts.js';

/**
 * The frame of the inbox. No mail is in it: the browser modules fetch them as JSON and build every node themselves,
 * so that nothing a sender writes is ever read as markup of this page.
 */
export function inboxPage(smtpAddress: () => string): PageView {
  return {
    path: '/mail',
    title: { zh: INBOX_TEXTS.zh.title, en: INBOX_TEXTS.en.title },
    head: '<script type="module" src="/mail/browser/inbox.js"></script>',
    body: (language) => body(language, smtpAddress()),
  };
}

function body(language: Language, smtpAddress: string): string {
  const texts = INBOX_TEXTS[language];
  return `<main id="main" class="inbox" data-view="list">
<div class="inbox-head">
<div><h1>${texts.title}</h1><p>${texts.about} <code>smtp://${smtpAddress}</code></p></div>
<p class="live" id="live" role="status"></p>
</div>
<noscript><p class="framed">${texts.needsScript}</p></noscript>
<section class="mails" aria-label="${texts.list}">
<div class="tools">
<label class="search"><span class="unseen">${texts.search}</span><input id="search" type="search" placeholder="${texts.search}" autocomplete="off" spellcheck="false" inputmode="email"></label>
<button id="clear" type="button" class="quiet" hidden>${texts.clear}</button>
</div>
<ul id="list"></ul>
<div id="none" class="empty" hidden>${BRIDGE}<h2 id="none-title"></h2><p id="none-why"></p><button id="reset" type="button" class="quiet">${texts.reset}</button></div>
<p class="keys">${texts.keys}</p>
</section>
<article id="mail" aria-label="${texts.mail}" tabindex="-1"></article>
</main>`;
}
