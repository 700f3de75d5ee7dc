import { CHANNEL_CODES, CHANNELS, type ChannelCode } from '@yiqiao/domain/channels';
import type { ChannelLanguages } from './channel.js';
import { languages } from './languages.js';
import { vendorLanguages } from './vendor-languages.js';

/** A row of `translationLanguages/list` (decisions §9). `channels`: ids of the channels that can do the language on this side. */
export type LanguageChoice = {
  readonly id: number;
  readonly langCode: string;
  readonly chineseName: string;
  readonly englishName: string;
  readonly channels: readonly number[];
};

/** What channels say of themselves, as far as they are asked. */
export type SaidLanguages = ReadonlyMap<ChannelCode, ChannelLanguages>;

/**
 * Both lists of `translationLanguages/list`. A channel that was asked is believed; of the others the languages are shown that their
 * vendors publish, so that a member sees what a key would bring. The source list begins with `auto`, id 0.
 */
export function languageLists(said: SaidLanguages): { sourceList: LanguageChoice[]; targetList: LanguageChoice[] } {
  const sides = CHANNEL_CODES.flatMap((code) => {
    const found = said.get(code) ?? (code === 'offline' ? null : vendorLanguages(code));
    return found ? [{ id: CHANNELS[code].id, ...found }] : [];
  });
  const choices = (side: 'sources' | 'targets'): LanguageChoice[] =>
    languages().map(({ id, langCode, chineseName, englishName }) => ({
      id,
      langCode,
      chineseName,
      englishName,
      channels: sides.filter((channel) => channel[side].has(langCode)).map((channel) => channel.id),
    }));
  // Whoever cannot find out the source by itself is told it by us.
  const auto: LanguageChoice = {
    id: 0,
    langCode: 'auto',
    chineseName: '自动检测',
    englishName: 'Detect language',
    channels: sides.filter(({ sources }) => sources.size > 0).map(({ id }) => id),
  };
  return { sourceList: [auto, ...choices('sources')], targetList: choices('targets') };
}
