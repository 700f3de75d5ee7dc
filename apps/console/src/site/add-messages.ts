import { addMessages, type MessageFile } from '../shared/i18n/messages.js';

addMessages({
  zh: import.meta.glob<MessageFile>(['/src/shared/**/messages.zh.ts', '/src/site/**/messages.zh.ts']),
  en: import.meta.glob<MessageFile>(['/src/shared/**/messages.en.ts', '/src/site/**/messages.en.ts']),
});
