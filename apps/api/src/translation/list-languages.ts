import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { listLanguages } from '@yiqiao/contracts/translation';
import { CHANNEL_CODES, type ChannelCode, CHANNELS } from '@yiqiao/domain/channels';
import type { ChannelLanguages } from './channels/channel.js';
import { languages } from './channels/languages.js';
import { publishedLanguages } from './channels/vendors.js';
import { TextChannels, type TextPair } from './text-channels.js';

export class ListLanguages extends Query<Answer<typeof listLanguages>> {}

/** The 215 languages, each with the channels that support it as source or as target (decisions §9). */
@QueryHandler(ListLanguages)
export class ListLanguagesHandler implements IQueryHandler<ListLanguages> {
  constructor(private readonly channels: TextChannels) {}

  async execute(): Promise<Answer<typeof listLanguages>> {
    const { sourceList, targetList } = languageLists(await this.channels.languages());
    const open = (list: typeof sourceList) => list.map((row) => ({ ...row, channels: [...row.channels] }));
    return { sourceList: open(sourceList), targetList: open(targetList) };
  }
}

/** A row of `translationLanguages/list` (decisions §9). `channels`: ids of the channels that support the language on this side. */
type LanguageChoice = {
  readonly id: number;
  readonly langCode: string;
  readonly chineseName: string;
  readonly englishName: string;
  readonly channels: readonly number[];
};

/** The languages of the channels that were asked for them. */
export type SaidLanguages = ReadonlyMap<ChannelCode, ChannelLanguages>;

/**
 * Both lists of `translationLanguages/list`. For channels that were not asked the languages published by their vendors are shown, so that a
 * member sees what a key would add. The source list begins with `auto`, id 0.
 */
export function languageLists(said: SaidLanguages): { sourceList: LanguageChoice[]; targetList: LanguageChoice[] } {
  const sides = CHANNEL_CODES.flatMap((code) => {
    const found = said.get(code) ?? (code === 'offline' ? null : publishedLanguages(code));
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
  // Channels that cannot detect the source get it from our own detection.
  const auto: LanguageChoice = {
    id: 0,
    langCode: 'auto',
    chineseName: '自动检测',
    englishName: 'Detect language',
    channels: sides.filter(({ sources }) => sources.size > 0).map(({ id }) => id),
  };
  return { sourceList: [auto, ...choices('sources')], targetList: choices('targets') };
}

export class ListPairs extends Query<TextPair[]> {}

@QueryHandler(ListPairs)
export class ListPairsHandler implements IQueryHandler<ListPairs> {
  constructor(private readonly channels: TextChannels) {}

  execute(): Promise<TextPair[]> {
    return this.channels.pairs();
  }
}
