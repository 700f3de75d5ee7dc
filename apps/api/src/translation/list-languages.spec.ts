import { describe, expect, it } from '@jest/globals';
import { CHANNELS } from '@yiqiao/domain/channels';
import type { ChannelLanguages } from './channels/channel.js';
import { languageLists, type SaidLanguages } from './list-languages.js';
import { OfflineChannel } from './channels/offline/offline.js';

const said = (sources: string[], targets: string[]): ChannelLanguages => ({
  sources: new Set(sources),
  targets: new Set(targets),
  auto: true,
});

const lists = (asked: SaidLanguages) => {
  const { sourceList, targetList } = languageLists(asked);
  const in_ = (list: typeof sourceList) => (code: string) => list.find(({ langCode }) => langCode === code)?.channels;
  return { sourceList, targetList, source: in_(sourceList), target: in_(targetList) };
};

describe('language lists', () => {
  it('name the channels of each language, with auto first among the sources only', async () => {
    const offline = new OfflineChannel({ folder: '/nowhere' });
    const { sourceList, targetList, source, target } = lists(new Map([['offline', await offline.languages()]]));
    await offline.close();
    expect(sourceList.map(({ id }) => id)).toEqual([0, ...targetList.map(({ id }) => id)]);
    expect(sourceList[0]?.langCode).toBe('auto');
    expect(source('zh-Hans')).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(source('en')).toContain(CHANNELS.offline.id);
    expect(source('es')).not.toContain(CHANNELS.offline.id);
    expect(target('en')).toContain(CHANNELS.offline.id);
    expect(target('ca')).toEqual([
      CHANNELS.google.id,
      CHANNELS.microsoft.id,
      CHANNELS.youdao.id,
      CHANNELS.deepl.id,
      CHANNELS.chatgpt.id,
    ]);
  });

  it('show a variant wherever its base language stands for it, without duplicates', () => {
    const { target } = lists(new Map());
    expect(target('en-GB')).toEqual([2, 3, 4, 5, 6, 7]);
    // A language in another script has no substitute.
    expect(target('sr-Latn')).toEqual([CHANNELS.microsoft.id, CHANNELS.youdao.id, CHANNELS.chatgpt.id]);
  });

  it('trust a server about its own languages, and leave out one that was not asked', () => {
    const id = CHANNELS.libretranslate.id;
    const asked = lists(new Map([['libretranslate', said(['en', 'fr'], ['fr'])]]));
    expect(asked.source('auto')).toContain(id);
    expect([asked.source('en'), asked.target('en')].map((channels) => channels?.includes(id))).toEqual([true, false]);
    expect(asked.target('fr')).toContain(id);
    const unasked = lists(new Map());
    expect(unasked.sourceList.some(({ channels }) => channels.includes(id))).toBe(false);
  });
});
