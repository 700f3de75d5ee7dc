/** The front door of the translation feature: its commands and queries, and the codes of languages elsewhere. */
import { deepl } from './channels/deepl.js';
import { google } from './channels/google.js';
import { libretranslate } from './channels/libretranslate.js';
import type { VendorLanguages } from './channels/vendor-languages.js';

export { BASE_OF, canonicalLanguage } from './channels/language-codes.js';
export { languageOf } from './channels/languages.js';
export type { VendorLanguages } from './channels/vendor-languages.js';
export { detectLanguage } from './detect-language.js';
export { ListCallerLanguages, ListTranslatedLanguages } from './list-translated-languages.js';
export { TRANSIENT, TranslateText } from './translate-text.js';

/** From langCodes to the codes of these services and back. */
export const servicesLanguages: Readonly<Record<'deepl' | 'google' | 'libretranslate', VendorLanguages>> = {
  deepl: deepl.languages,
  google: google.languages,
  libretranslate: libretranslate.languages,
};
