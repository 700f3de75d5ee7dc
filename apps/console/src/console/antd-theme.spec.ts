import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { colours } from './antd-colours.js';

const css = readFileSync(new URL('../shared/tokens.css', import.meta.url), 'utf8');
const declared = new Map(
  [...css.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
);

const BOTH = /^light-dark\((.+?), ((?:rgba\(.+\)|[^,]+))\)$/;

/** What tokens.css says for one theme, with every var() followed. */
function token(name: string, theme: 'light' | 'dark'): string {
  const value = declared.get(name);
  if (value === undefined) throw new Error(`tokens.css has no ${name}`);
  const both = BOTH.exec(value);
  const one = (theme === 'light' ? both?.[1] : both?.[2]) ?? value;
  const other = /^var\((--[\w-]+)\)$/.exec(one)?.[1];
  return other ? token(other, theme) : one;
}

/** #FFF, #ffffff and `rgba(1, 2, 3, 0.5)` written one way. */
const plain = (colour: string): string =>
  colour
    .toLowerCase()
    .replaceAll(' ', '')
    .replace(/,0\./, ',.')
    .replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3');

const names = Object.keys(colours.light) as (keyof typeof colours.light)[];
const cssName = (name: string): string =>
  `--c-${name
    .replace(/2$/, '-2')
    .replace(/3$/, '-3')
    .replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`;

describe.each(['light', 'dark'] as const)('the colours given to antd (%s)', (theme) => {
  it.each(names)('%s is that of tokens.css', (name) => {
    expect(plain(colours[theme][name])).toBe(plain(token(cssName(name), theme)));
  });
});
