/** The changelog's entries, newest first; a chunk of its own in each language. */
import { language } from '../../../shared/i18n/language.js';
import type { Entry } from './entry.js';

const load = (): Promise<{ default: readonly Entry[] }> =>
  language === 'en' ? import('./entries.en.js') : import('./entries.zh.js');

let entries: readonly Entry[] | undefined;

/** Awaited before the page is rendered, as texts are. */
export async function loadEntries(): Promise<void> {
  entries = (await load()).default;
}

export function theEntries(): readonly Entry[] {
  if (!entries) throw new Error('the changelog was not loaded');
  return entries;
}
