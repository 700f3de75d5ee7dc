import { describe, expect, it } from '@jest/globals';
import type { CommandBus } from '@nestjs/cqrs';
import type { ErrorCode } from '@yiqiao/domain/errors';
import type { KeyCaller } from '../platform/api-key-reader.js';
import type { ClientInfo } from '../platform/endpoint.js';
import type { TranslateText } from '../translation/translation.js';
import { DoorTexts } from './door-texts.js';

const who = { caller: {} as KeyCaller, client: {} as ClientInfo };
const asked = (texts: string[]) => ({ texts, source: 'en', target: 'de' });

/** Commands that fail these texts so many times, by code; the others are translated. */
function scripted(failures: Record<string, { code: ErrorCode; times: number }>): {
  texts: DoorTexts;
  sent: string[][];
} {
  const sent: string[][] = [];
  const execute = ({ input }: TranslateText) => {
    const texts = input.text as string[];
    sent.push(texts);
    const items = texts.map((text) => {
      const failure = failures[text];
      const fails = failure !== undefined && failure.times-- > 0;
      return fails
        ? { success: false, translated: null, charged: 0, code: failure.code, msg: '', source: 'en' }
        : { success: true, translated: text.toUpperCase(), charged: 1, code: null, msg: null, source: 'en' };
    });
    return Promise.resolve({ items, charged: items.length });
  };
  return { texts: new DoorTexts({ execute } as unknown as CommandBus), sent };
}

describe('the texts of a door', () => {
  it('of which some failed for the moment are asked for once more, without those that are paid', async () => {
    const { texts, sent } = scripted({ b: { code: 'UPSTREAM_TIMEOUT', times: 1 } });
    expect((await texts.translate(asked(['a', 'b', 'c']), who)).map(({ text }) => text)).toEqual(['A', 'B', 'C']);
    expect(sent).toEqual([['a', 'b', 'c'], ['b']]);
  });

  it('fail the request when they fail again, or for good', async () => {
    const again = scripted({ b: { code: 'UPSTREAM_TIMEOUT', times: 2 } });
    await expect(again.texts.translate(asked(['a', 'b']), who)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    const forGood = scripted({ b: { code: 'CONTENT_REFUSED', times: 2 } });
    await expect(forGood.texts.translate(asked(['a', 'b']), who)).rejects.toMatchObject({ code: 'CONTENT_REFUSED' });
    expect(forGood.sent).toHaveLength(1);
  });

  it('that all failed are left to the client, who is told at once', async () => {
    const { texts, sent } = scripted({ a: { code: 'UPSTREAM_FAILED', times: 1 } });
    await expect(texts.translate(asked(['a']), who)).rejects.toMatchObject({ code: 'UPSTREAM_FAILED' });
    expect(sent).toEqual([['a']]);
  });
});
