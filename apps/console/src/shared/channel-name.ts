import { CHANNELS, channelCodeOf } from '@yiqiao/domain/channels';
import { language } from './i18n/language.js';

/** What a translation channel is called in the page's language; null for a number that no channel has. */
export const channelNameOf = (id: number): string | null => {
  const code = channelCodeOf(id);
  if (code === null) return null;
  return language === 'zh' ? CHANNELS[code].name : CHANNELS[code].enName;
};
