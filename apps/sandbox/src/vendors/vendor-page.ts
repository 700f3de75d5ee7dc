import type { PageView } from '../shell/page.js';
import { VENDOR_TEXTS } from './browser/vendor-texts.js';

/** The frame of the accounts: the browser modules fetch them and build every node themselves. */
export const VENDORS_PAGE: PageView = {
  path: '/vendors',
  title: { zh: VENDOR_TEXTS.zh.title, en: VENDOR_TEXTS.en.title },
  head: '<script type="module" src="/vendors/browser/vendor-list.js"></script>',
  body: (language) => {
    const texts = VENDOR_TEXTS[language];
    return `<main id="main" class="reading vendors">
<div class="cashier-head"><div><h1>${texts.title}</h1><p class="lead">${texts.about}</p></div><p class="live" id="live" role="status"></p></div>
<noscript><p class="framed">${texts.needsScript}</p></noscript>
<p><button id="all" type="button" class="quiet" hidden>${texts.resetAll}</button></p>
<div id="vendors"></div>
</main>`;
  },
};
