import { expect, it } from '@jest/globals';
import { languageOf } from './envelope.js';

it.each([
  [undefined, 'zh'],
  ['', 'zh'],
  ['zh-CN,zh', 'zh'],
  ['en-US,en', 'en'],
  ['en-US,en;q=0.9,zh-CN;q=0.8', 'en'],
  ['en;q=0.1,zh;q=0.9', 'zh'],
  ['zh;q=0.2, en-GB', 'en'],
  ['fr,de;q=0.9', 'zh'],
  ['fr,en;q=0.5', 'en'],
  ['en;q=x', 'zh'],
] as const)('%s gets %s', (header, language) => {
  expect(languageOf(header)).toBe(language);
});
