/** The usage document's text, a chunk of its own in each language. */
import type { Doc } from '../../shared/doc/doc.js';
import { language } from '../../../shared/i18n/language.js';

const load = (): Promise<{ default: Doc }> =>
  language === 'en' ? import('./content.en.js') : import('./content.zh.js');

let content: Doc | undefined;

/** Awaited before the page is rendered, as texts are. */
export async function loadContent(): Promise<void> {
  content = (await load()).default;
}

export function theContent(): Doc {
  if (!content) throw new Error('the usage document was not loaded');
  return content;
}
