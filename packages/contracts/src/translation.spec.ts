import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { changeChannel } from './plans.js';
import { changeEnabled } from './sub-accounts.js';
import { translateText } from './translation.js';

const codesOf = (schema: z.ZodType, value: unknown): string[] =>
  (schema.safeParse(value).error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);

const hello = { source: 'en', target: 'fr', text: 'Hello' };

describe('a field of the wrong type', () => {
  it.each(['source', 'target'])('is distinguished from a missing one: %s', (field) => {
    expect(codesOf(translateText.request, { ...hello, [field]: undefined })).toEqual([`${field}: REQUIRED`]);
    for (const value of [1, {}, [], true, null])
      expect(codesOf(translateText.request, { ...hello, [field]: value })).toEqual([`${field}: WRONG_TYPE`]);
    expect(codesOf(translateText.request, { ...hello, [field]: '' })).toEqual([`${field}: LANGUAGE_UNKNOWN`]);
  });

  it('gets the same code for an optional id as for a required one', () => {
    for (const value of [null, '2', {}, 1.5, true]) {
      expect(codesOf(translateText.request, { ...hello, channelId: value })).toEqual(['channelId: WRONG_TYPE']);
      expect(codesOf(changeChannel.request, { targetChannelId: value })).toEqual(['targetChannelId: WRONG_TYPE']);
    }
    expect(codesOf(translateText.request, hello)).toEqual([]);
    expect(codesOf(changeChannel.request, {})).toEqual(['targetChannelId: REQUIRED']);
    expect(codesOf(changeEnabled.request, { userId: 0, enabled: 1 })).toEqual(['userId: WRONG_VALUE']);
  });
});
