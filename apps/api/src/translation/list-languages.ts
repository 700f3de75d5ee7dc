import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { listLanguages } from '@yiqiao/contracts/translation';
import { CHANNEL_CODES, type ChannelCode, CHANNELS } from '@yiqiao/domain/channels';
import type { ChannelLanguages } from './channels/channel.js';
import { languages } from './channels/languages.js';
import { publishedLanguages } from './channels/vendors.js';
import { TextChannels, type TextPair } from './text-channels.js';

export class ListLanguages extends Query<Answer<typeof listLanguages>> {}

/** The 215 languages, each saying which channels can do it on this side (decisions §9). */
@QueryHandler(ListLanguages)
export class ListLanguagesHandler implements IQueryHandler<ListLanguages> {
  constructor(private readonly channels: TextChannels) {}

  async execute(): Promise<Answer<typeof listLanguages>> {
    const { sourceList, targetList } = languageLists(await this.channels.languages());
    const open = (list: typeof sourceList) => list.map((row) => ({ ...row, channels: [...row.channels] }));
    return { sourceList: open(sourceList), targetList: open(targetList) };
  }
}

/** A row of `translationLanguages/list` (decisions §9). `channels`: ids of the channels that can do the language on this side. */
type LanguageChoice = {
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

export class ListPairs extends Query<TextPair[]> {}

@QueryHandler(ListPairs)
export class ListPairsHandler implements IQueryHandler<ListPairs> {
  constructor(private readonly channels: TextChannels) {}

  execute(): Promise<TextPair[]> {
    return this.channels.pairs();
  }
}
