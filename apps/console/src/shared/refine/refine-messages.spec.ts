import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import en from './refine-messages.en.js';
import zh from './refine-messages.zh.js';

const require = createRequire(import.meta.url);
const codeOf = (name: string): string => readFileSync(join(dirname(require.resolve(name)), 'index.mjs'), 'utf8');

/** Every text that Refine asks for by a fixed key, but those of its login pages, for which we have our own. */
const asked = ['@refinedev/core', '@refinedev/antd'].flatMap((name) =>
  [...codeOf(name).matchAll(/["`]((?:actions|buttons|notifications|pages|table|autoSave)\.[\w.]+)["`]/g)]
    .map(([, key]) => key ?? '')
    .filter((key) => !/^pages\.(login|register|forgotPassword|updatePassword)\./.test(key)),
);

describe('what Refine says', () => {
  it('is found in the code of Refine at all', () => {
    expect(asked).toContain('notifications.createSuccess');
  });

  it.each([
    ['zh', zh],
    ['en', en],
  ])('has a text of ours for every key in %s', (_, messages) => {
    expect([...new Set(asked)].filter((key) => !Object.hasOwn(messages, key))).toEqual([]);
    expect(Object.values(messages).filter((text) => text.trim() === '')).toEqual([]);
  });

  it('is Chinese in Chinese and holds none in English', () => {
    expect(Object.values(zh).filter((text) => !/\p{Script=Han}/u.test(text))).toEqual([]);
    expect(Object.values(en).filter((text) => /\p{Script=Han}/u.test(text))).toEqual([]);
  });
});
