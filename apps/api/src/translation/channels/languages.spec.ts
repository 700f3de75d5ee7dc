import { describe, expect, it } from '@jest/globals';
import { CHANNELS } from '@yiqiao/domain/channels';
import { languageLists, languageOf, languages } from './languages.js';
import { OfflineChannel } from './offline/offline.js';

describe('languages', () => {
  it('are the 215 rows of the data, numbered from 1', () => {
    expect(languages()).toHaveLength(215);
    expect(languages().map(({ id }) => id)).toEqual(Array.from({ length: 215 }, (_, index) => index + 1));
    expect(new Set(languages().map(({ langCode }) => langCode)).size).toBe(215);
    expect(languageOf('zh-Hans')?.chineseName).toBe('简体中文');
    expect(languageOf('auto')).toBeNull();
  });

  it('name the channels that can do them, with auto first among the sources only', async () => {
    const offline = new OfflineChannel({ folder: '/nowhere' });
    const { sourceList, targetList } = await languageLists(offline);
    await offline.close();
    expect(sourceList.map(({ id }) => id)).toEqual([0, ...targetList.map(({ id }) => id)]);
    expect(sourceList[0]?.langCode).toBe('auto');
    const source = (code: string) => sourceList.find(({ langCode }) => langCode === code)?.channels;
    const target = (code: string) => targetList.find(({ langCode }) => langCode === code)?.channels;
    expect(source('zh-Hans')).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(source('en')).not.toContain(CHANNELS.offline.id);
    expect(target('en')).toContain(CHANNELS.offline.id);
    expect(target('ca')).toEqual([
      CHANNELS.google.id,
      CHANNELS.microsoft.id,
      CHANNELS.youdao.id,
      CHANNELS.deepl.id,
      CHANNELS.chatgpt.id,
    ]);
  });
});
