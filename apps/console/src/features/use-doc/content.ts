/** The usage document's text, a chunk of its own in each language. */
import type { DocPart } from '../../shared/doc/doc.js';
import { language } from '../../shared/i18n/language.js';

export type Content = { lead: string; parts: readonly DocPart[] };

const load = (): Promise<{ default: Content }> =>
  language === 'en' ? import('./content.en.js') : import('./content.zh.js');

let content: Content | undefined;

/** Awaited before the page is rendered, as texts are. */
export async function loadContent(): Promise<void> {
  content = (await load()).default;
}

export function theContent(): Content {
  if (!content) throw new Error('the usage document was not loaded');
  return content;
}
