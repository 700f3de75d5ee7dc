/** The tutorial's text, a chunk of its own in each language: only the chosen one is ever downloaded. */
import { language } from '../../../shared/i18n/language.js';
import type { Section, SectionId } from './tree.js';

export type Sections = Record<SectionId, Section>;

const load = (): Promise<{ default: Sections }> =>
  language === 'en' ? import('./content.en.js') : import('./content.zh.js');

let sections: Sections | undefined;

/** Awaited before the page is rendered, as texts are. */
export async function loadSections(): Promise<void> {
  sections = (await load()).default;
}

export function theSections(): Sections {
  if (!sections) throw new Error('the tutorial was not loaded');
  return sections;
}
