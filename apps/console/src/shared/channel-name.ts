import { CHANNELS, channelCodeOf } from '@yiqiao/domain/channels';
import { language } from './i18n/language.js';

/** The name of a translation channel in the page's language; null for an unknown id. */
export const channelNameOf = (id: number): string | null => {
  const code = channelCodeOf(id);
  if (code === null) return null;
  return language === 'zh' ? CHANNELS[code].name : CHANNELS[code].enName;
};
