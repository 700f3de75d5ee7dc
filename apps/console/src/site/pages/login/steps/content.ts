import { language } from '../../../../shared/i18n/language.js';
import { addTable } from '../../../../shared/i18n/messages.js';

/** Loads the messages of these steps. They are no message file, because the table of those is part of every page. */
export async function loadContent(): Promise<void> {
  const { default: table } = await (language === 'zh' ? import('./content.zh.js') : import('./content.en.js'));
  addTable('steps', table);
}
