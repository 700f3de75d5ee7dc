import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { colours, strongColours } from './antd-colours.js';

const declaredIn = (file: string): [string, string][] => {
  const css = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  return [...css.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]);
};
const declared = new Map(declaredIn('tokens.css'));
const strong = new Map([...declared, ...declaredIn('base/preferences.css')]);

const BOTH = /^light-dark\((.+?), ((?:rgba\(.+\)|[^,]+))\)$/;

/** What the style sheets say for one theme, with every var() followed. */
function token(name: string, theme: 'light' | 'dark', values = declared): string {
  const value = values.get(name);
  if (value === undefined) throw new Error(`tokens.css has no ${name}`);
  const both = BOTH.exec(value);
  const one = (theme === 'light' ? both?.[1] : both?.[2]) ?? value;
  const other = /^var\((--[\w-]+)\)$/.exec(one)?.[1];
  return other ? token(other, theme, values) : one;
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

  it.each(names)('%s with more contrast is that of preferences.css', (name) => {
    expect(plain(strongColours[theme][name])).toBe(plain(token(cssName(name), theme, strong)));
  });
});
