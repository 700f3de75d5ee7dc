import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { unwrapped } from './openai-protocol.js';

describe('a model response', () => {
  it.each([
    ['你好', 'Hello', '你好'],
    ['  你好\n', 'Hello', '你好'],
    ['```\n你好\n```', 'Hello', '你好'],
    ['```text\n你好\n\n世界\n```', 'Hello', '你好\n\n世界'],
    ['"你好"', 'Hello', '你好'],
    ['“你好”', 'Hello', '你好'],
    ['「你好」', 'Hello', '你好'],
    ['« bonjour »', 'Hello', 'bonjour'],
    ['„Hallo“', 'Hello', 'Hallo'],
    ['<think>\nit is a greeting\n</think>\n\n你好', 'Hello', '你好'],
    ['```json\n"你好"\n```', 'Hello', '你好'],
  ])('is stripped of wrapping: %j', (answer, source, translation) => {
    expect(unwrapped(answer, source)).toBe(translation);
  });

  it.each([
    // The source has them as well, perhaps in the quotation marks of its language.
    ['“你好”', '"Hello"'],
    ['"Hello"', '「こんにちは」'],
    ['“你好”，他说', '"Hello," he said'],
    ['```\ncode\n```', '```\nCode\n```'],
    ['<think>算了</think> 不', '<think>never mind</think> no'],
    // They do not enclose all of it.
    ['"A" und "B"', 'A and B'],
    ['"A" allein', 'A alone'],
    ['`a`', 'a'],
    ['"', 'inch'],
    ['""', 'nothing'],
    ['它是 5"', 'It is 5 inches'],
  ])('keeps what belongs to the translation: %j for %j', (answer, source) => {
    expect(unwrapped(answer, source)).toBe(answer);
  });

  it('is never made longer, and is unchanged without wrapping', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (answer, source) => {
        expect(answer).toContain(unwrapped(answer, source));
      }),
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z一-龥 \n{}0-9]*$/), fc.string(), (answer, source) => {
        expect(unwrapped(answer, source)).toBe(answer.trim());
      }),
    );
  });
});
