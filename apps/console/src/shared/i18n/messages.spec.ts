import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const SRC = fileURLToPath(new URL('../..', import.meta.url));
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' });
const parts = files.filter((name) => name.endsWith('/messages.zh.ts')).map(dirname);
const sources = files.filter((name) => /\.tsx?$/.test(name) && !/messages\.(zh|en)\.ts$|\.spec\.ts$/.test(name));

type Table = Record<string, string>;
const messagesOf = async (part: string, language: 'zh' | 'en'): Promise<Table> =>
  ((await import(join(SRC, part, `messages.${language}.ts`))) as { default: Table }).default;

/** Where a part's messages may be used: shared ones everywhere or in their entry, others in their own feature. */
const realmOf = (part: string): string => {
  if (part.startsWith('shared')) return '';
  return `${part
    .split('/')
    .slice(0, /^\w+\/shared/.test(part) ? 1 : 3)
    .join('/')}/`;
};

/** The sources that use a part's messages: its own, and those in its realm that name it. */
const codeOf = (part: string): string => {
  const name = `'${part.split('/').at(-1) ?? ''}'`;
  return sources
    .map((file) => ({ file, code: readFileSync(join(SRC, file), 'utf8') }))
    .filter(({ file, code }) => file.startsWith(`${part}/`) || (file.startsWith(realmOf(part)) && code.includes(name)))
    .map(({ code }) => code)
    .join('\n');
};

/** Used by name, or through a template such as `` t(`type_${x}`) ``. */
const isUsed = (key: string, code: string): boolean => {
  if (code.includes(`'${key}'`)) return true;
  const prefixes = [...code.matchAll(/`([A-Za-z_]\w*)\$\{/g)].map(([, prefix]) => prefix ?? '');
  return prefixes.some((prefix) => key.startsWith(prefix));
};

const parameters = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? '').sort();

describe.each(parts)('texts of %s', (part) => {
  it('say the same keys with the same parameters in Chinese and English, none of them empty', async () => {
    const [zh, en] = [await messagesOf(part, 'zh'), await messagesOf(part, 'en')];
    expect(Object.keys(en).sort()).toEqual(Object.keys(zh).sort());
    for (const [key, text] of Object.entries(zh)) {
      expect([key, parameters(en[key] ?? '')]).toEqual([key, parameters(text)]);
      expect([key, text.trim() !== '' && en[key]?.trim() !== '']).toEqual([key, true]);
    }
  });

  it('are all used', async () => {
    const code = codeOf(part);
    expect(Object.keys(await messagesOf(part, 'zh')).filter((key) => !isUsed(key, code))).toEqual([]);
  });

  it('hold no Chinese in English, except sentences and names that are shown as Chinese', async () => {
    const shown = /^(statementOther|sourceSentence|inZh|importWhy|newGroup|(side|label|optional)_zh.*)$/;
    const en = Object.entries(await messagesOf(part, 'en'));
    expect(en.filter(([key, text]) => !shown.test(key) && /\p{Script=Han}/u.test(text))).toEqual([]);
  });
});
