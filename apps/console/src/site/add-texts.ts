import { addTexts, type TextFile } from '../shared/i18n/texts.js';

addTexts({
  zh: import.meta.glob<TextFile>([
    '/src/shared/texts.zh.ts',
    '/src/shared/{customer-service,doc,notices,payment}/texts.zh.ts',
    '/src/site/**/texts.zh.ts',
  ]),
  en: import.meta.glob<TextFile>([
    '/src/shared/texts.en.ts',
    '/src/shared/{customer-service,doc,notices,payment}/texts.en.ts',
    '/src/site/**/texts.en.ts',
  ]),
});
