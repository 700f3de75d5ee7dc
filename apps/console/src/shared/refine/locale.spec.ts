import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { fill, type Params } from '../i18n/fill.js';
import { messagesIn } from './locale.js';

const SRC = fileURLToPath(new URL('../..', import.meta.url));
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /(^|\/)messages\.(zh|en)\.ts$/.test(name),
);

/** Every parameter of a text, with the same value. */
const paramsOf = (text: string, value: string): Params =>
  Object.fromEntries([...text.matchAll(/\{\{(\w+)/g)].map(([, name]) => [name ?? '', value]));

describe('i18next', () => {
  it.each(files)('formats the messages of %s like the site does', async (file) => {
    const { default: texts } = (await import(join(SRC, file))) as { default: Record<string, string> };
    const messages = messagesIn('en');
    messages.add('part', texts);
    for (const value of ['1', '1,001', '<b>& $t(x) {{y}}'])
      for (const [key, text] of Object.entries(texts)) {
        const params = paramsOf(text, value);
        expect([key, messages.text('part', key, params)]).toEqual([key, fill(text, params)]);
      }
  });

  it('shows an unknown key as it is', () => {
    expect(messagesIn('zh').text('part', 'nothing')).toBe('nothing');
  });
});
