/** The text of the page, a chunk of its own in each language. */
import { inBrowser } from '../../../shared/in-browser.js';
import { language } from '../../../shared/i18n/language.js';
import type { DevDoc } from './dev-doc.js';
import { loadWebhooks } from './webhooks/load.js';

const load = (): Promise<{ default: DevDoc }> =>
  language === 'en' ? import('./content.en.js') : import('./content.zh.js');

let content: DevDoc | undefined;

/** Awaited before the page is rendered, as texts are. */
export async function loadContent(): Promise<void> {
  // Browsers have it in the document.
  if (!inBrowser) await loadWebhooks();
  content = (await load()).default;
}

export function theContent(): DevDoc {
  if (!content) throw new Error('the developers’ page was not loaded');
  return content;
}
