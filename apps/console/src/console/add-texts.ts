import { addTexts, type TextFile } from '../shared/i18n/texts.js';

addTexts({
  zh: import.meta.glob<TextFile>(['/src/shared/**/texts.zh.ts', '/src/console/**/texts.zh.ts']),
  en: import.meta.glob<TextFile>(['/src/shared/**/texts.en.ts', '/src/console/**/texts.en.ts']),
});
