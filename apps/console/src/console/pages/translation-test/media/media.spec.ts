import { describe, expect, it } from '@jest/globals';
import { errors } from '@yiqiao/domain/errors';
import { type Abilities, AUTO, canDo, firstDirection, type Quality, withSource } from '../abilities.js';
import type { Catalogue } from '../use-catalogue.js';
import { blobOfDataUrl } from './answer-file.js';
import { recognisedBy } from './media-abilities.js';
import { stepsFor } from '../refusal.js';
import { readMediaRefusal } from './media-refusal.js';

const listed = (
  rows: Readonly<Record<string, Readonly<Record<string, Quality>>>>,
): ReadonlyMap<string, ReadonlyMap<string, Quality>> =>
  new Map(Object.entries(rows).map(([source, targets]) => [source, new Map(Object.entries(targets))]));

const abilities: Abilities = new Map([
  [
    1,
    {
      kind: 'listed',
      from: listed({
        'zh-Hans': { 'zh-Hant': 'translation', en: 'gloss' },
        en: { es: 'translation' },
        th: { en: 'gloss' },
      }),
    },
  ],
  [2, { kind: 'any', sources: new Set(['en', 'de', 'th']), targets: new Set(['en', 'de', 'zh-Hans']) }],
]);
const row = (langCode: string) => ({ id: 0, langCode, chineseName: langCode, englishName: langCode, channels: [1, 2] });
const catalogue: Catalogue = {
  abilities,
  languages: { sourceList: [AUTO, 'zh-Hans', 'en', 'th'].map(row), targetList: ['es'].map(row) },
  channels: [],
  prices: new Map(),
};

describe('what can be offered for pictures and recordings', () => {
  it('is what is recognised and then really translated: no gloss, no other channel', () => {
    const able = recognisedBy(catalogue, 1, { sources: ['zh-Hans', 'th'], auto: false });
    expect([...able.abilities.keys()]).toEqual([1]);
    expect(canDo(able.abilities, 1, { source: 'zh-Hans', target: 'zh-Hant' })).toBe(true);
    expect(canDo(able.abilities, 1, { source: 'zh-Hans', target: 'en' })).toBe(false);
    expect(canDo(able.abilities, 1, { source: 'th', target: 'en' })).toBe(false);
    expect(canDo(able.abilities, 1, { source: 'en', target: 'es' })).toBe(false);
    expect(firstDirection(able.abilities, [[1]])).toEqual({ source: 'zh-Hans', target: 'zh-Hant' });
  });

  it('leaves a channel that combines all it has with what is recognised', () => {
    const able = recognisedBy(catalogue, 2, { sources: ['en', 'fr'], auto: true });
    expect(canDo(able.abilities, 2, { source: 'en', target: 'de' })).toBe(true);
    expect(canDo(able.abilities, 2, { source: 'de', target: 'en' })).toBe(false);
    expect(canDo(able.abilities, 2, { source: 'fr', target: 'en' })).toBe(false);
    expect(withSource(able.abilities, [[2]], { source: 'en', target: 'en' })).toEqual({
      source: 'en',
      target: 'zh-Hans',
    });
  });

  it('defaults to detection only where it works', () => {
    const codes = (auto: boolean): string[] =>
      recognisedBy(catalogue, 1, { sources: ['en'], auto }).languages.sourceList.map(({ langCode }) => langCode);
    expect(codes(true)).toContain(AUTO);
    expect(codes(false)).not.toContain(AUTO);
  });

  it('lists no language that cannot be recognised', () => {
    const { sourceList } = recognisedBy(catalogue, 1, { sources: ['en'], auto: false }).languages;
    expect(sourceList.map(({ langCode }) => langCode)).toEqual(['en']);
  });

  it('is nothing at all for a channel that is not there', () => {
    expect(recognisedBy(catalogue, 3, { sources: ['en'], auto: true }).abilities.size).toBe(0);
  });
});

describe('what to do about a refused picture or recording', () => {
  it('is known for every refusal that is about files and recognition', () => {
    for (const code of Object.keys(errors).filter((c) =>
      /IMAGE|AUDIO|(?<!IN)VOICE|SPEECH|TEXT_FOUND|ENGINE|MEDIA_LANG|GLOSS$|FILE_TOO|UPLOAD$/.test(c),
    ))
      expect([code, readMediaRefusal(code).charged]).not.toEqual([code, 'unknown']);
  });

  it('offers another file where a retry would fail again', () => {
    for (const code of ['NOT_AN_IMAGE', 'IMAGE_TOO_LARGE', 'NOT_AUDIO', 'VOICE_TOO_LONG', 'FILE_TOO_LARGE'])
      expect(readMediaRefusal(code).next).toEqual(['file']);
    expect(readMediaRefusal('NO_TEXT_FOUND').next).toEqual(['file', 'language']);
    expect(readMediaRefusal('SPEECH_UNCLEAR')).toEqual({ next: ['file', 'transcript', 'channel'], charged: 'said' });
    expect(readMediaRefusal('CONTENT_REFUSED').next).not.toContain('text');
  });

  it('is otherwise as for a text, and makes no claim about the cost after cancelling', () => {
    expect(readMediaRefusal('QUOTA_NOT_ENOUGH')).toEqual({ next: ['recharge'], charged: 'no' });
    for (const code of ['ABORTED', 'TIMEOUT', 'NETWORK', 'SERVICE_BUSY', 'SOMETHING_NEW'])
      expect(readMediaRefusal(code).charged).toBe('unknown');
  });

  it('offers no other channel to a sub-account, unless there is nothing else to look at', () => {
    const sub = { main: false, others: true };
    expect(stepsFor(readMediaRefusal('ONLY_GLOSS'), { main: true, others: true })).toEqual(['language', 'channel']);
    expect(stepsFor(readMediaRefusal('ONLY_GLOSS'), sub)).toEqual(['language']);
    expect(stepsFor(readMediaRefusal('CHANNEL_UNAVAILABLE'), sub)).toEqual(['channel']);
  });

  it('offers no other channel where none hears better', () => {
    expect(stepsFor(readMediaRefusal('SPEECH_UNCLEAR'), { main: true, others: false })).toEqual(['file', 'transcript']);
  });
});

describe('the content of a data URL', () => {
  it('is read without a request', async () => {
    const blob = blobOfDataUrl('data:audio/mpeg;base64,AP8Q');
    expect(blob.type).toBe('audio/mpeg');
    expect([...new Uint8Array(await blob.arrayBuffer())]).toEqual([0, 255, 16]);
    expect(() => blobOfDataUrl('data:text/plain,x')).toThrow();
  });
});
