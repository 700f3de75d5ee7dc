import { readdirSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import download from '../site/pages/download/messages.zh.js';
import apiKeys from '../console/pages/api-keys/messages.zh.js';
import developers from '../site/pages/developers/content.zh.js';
import glossary from '../console/pages/glossary/messages.zh.js';
import home from '../site/pages/home/messages.zh.js';
import paySuccess from '../site/pages/pay-success/messages.zh.js';
import price from '../site/pages/price/messages.zh.js';
import recharge from '../console/pages/recharge/messages.zh.js';
import payment from './payment/messages.zh.js';
import login from '../site/pages/login/messages.zh.js';
import orders from '../console/pages/orders/messages.zh.js';
import overview from '../console/pages/overview/messages.zh.js';
import subAccounts from '../console/pages/sub-accounts/messages.zh.js';
import tutorial from '../site/pages/tutorial/content.zh.js';
import policies from '../site/pages/policies/content.zh.js';
import useDoc from '../site/pages/use-doc/content.zh.js';
import { consolePages } from '../console/page-table.js';
import app from '../console/messages.zh.js';
import site from '../site/messages.zh.js';
import customerService from '../site/shared/customer-service/messages.zh.js';
import nickname from '../console/shared/nickname/messages.zh.js';
import notices from './notices/messages.zh.js';

const FOLDER = new URL('./fonts/', import.meta.url);

/** Table numbers of WOFF2 that matter here (its §4.1): 0 is cmap, 10 and 11 are transformed unless they say otherwise. */
const CMAP = 0;
const TRANSFORMED = [10, 11];

/** The bytes of `cmap`, the table that says which characters a font has. */
function cmapOf(font: Buffer): Buffer {
  let at = 48;
  const base128 = (): number => {
    let value = 0;
    for (;;) {
      const byte = font.readUInt8(at++);
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  };
  let offset = 0;
  let cmap = { offset: 0, length: 0 };
  for (let table = 0; table < font.readUInt16BE(12); table++) {
    const flags = font.readUInt8(at++);
    const tag = flags & 63;
    if (tag === 63) at += 4;
    let length = base128();
    const version = flags >> 6;
    if (TRANSFORMED.includes(tag) ? version !== 3 : version !== 0) length = base128();
    if (tag === CMAP) cmap = { offset, length };
    offset += length;
  }
  const tables = brotliDecompressSync(font.subarray(at, at + font.readUInt32BE(20)));
  return tables.subarray(cmap.offset, cmap.offset + cmap.length);
}

/** Characters of a font: subtables of format 4 (16 bits) and 12 (32 bits). */
function charactersOf(font: Buffer): Set<number> {
  const cmap = cmapOf(font);
  const found = new Set<number>();
  const add = (from: number, to: number): void => {
    for (let code = from; code <= to && code !== 0xffff; code++) found.add(code);
  };
  for (let index = 0; index < cmap.readUInt16BE(2); index++) {
    const start = cmap.readUInt32BE(8 + 8 * index);
    const format = cmap.readUInt16BE(start);
    if (format === 12)
      for (let group = 0; group < cmap.readUInt32BE(start + 12); group++)
        add(cmap.readUInt32BE(start + 16 + 12 * group), cmap.readUInt32BE(start + 20 + 12 * group));
    if (format === 4) {
      const segments = cmap.readUInt16BE(start + 6);
      for (let segment = 0; segment < segments; segment += 2)
        add(cmap.readUInt16BE(start + 16 + segments + segment), cmap.readUInt16BE(start + 14 + segment));
    }
  }
  return found;
}

/** What the overview begins with. */
const { morning, noon, afternoon, evening, greeting } = overview;
const greetings = { morning, noon, afternoon, evening, greeting: greeting.replace(/\{\{.*\}\}/, '') };

/** Texts that are set in the display face: page titles, the headings of public pages and the titles of dialogs (DESIGN §2). */
const headings: string[] = [
  ...Object.entries({ ...site, ...app }).filter(([key]) => key.startsWith('page')),
  ...Object.entries(home).filter(([key]) => /^headline|Title$|^statement[12]$|^sixChannels$|^feature\d$/.test(key)),
  ...Object.entries(login).filter(([key]) => /Title$|^logIn$|^signUp$/.test(key)),
  ...Object.entries(subAccounts).filter(([key]) => /Title$/.test(key)),
  ...Object.entries(orders).filter(([key]) => /Title$|^details$/.test(key)),
  ...Object.entries(overview).filter(([key]) => /^offLink$|^channelTitle$/.test(key)),
  ...Object.entries(payment).filter(([key]) => /Title$/.test(key)),
  ...Object.entries(paySuccess).filter(([key]) => /^(checking|paid|confirming|closed|visitor|unknown)$/.test(key)),
  ...Object.entries(price).filter(([key]) => /^title$|Title$/.test(key)),
  ...Object.entries(recharge).filter(([key]) => key === 'title'),
  ...Object.entries(glossary).filter(([key]) => /title$/i.test(key) && !key.startsWith('invalid')),
  ...Object.entries(apiKeys).filter(([key]) => /Title$/.test(key)),
  ...Object.entries(download).filter(([key]) => /^(title|choose)$/.test(key)),
  ...Object.entries(nickname).filter(([key]) => key === 'change'),
  ...Object.entries(notices).filter(([key]) => key === 'notices'),
  ...Object.entries(customerService).filter(([key]) =>
    /^(contactTitle|preSale|afterSale|verify|verified|attention)$/.test(key),
  ),
].map(([, text]) => text);

const documents = Object.values(tutorial).flatMap(({ title, parts }) => [title, ...parts.map((part) => part.title)]);
const plain = [useDoc, developers, policies.privacy, policies.refund].flatMap(({ parts }) =>
  parts.map(({ title }) => title),
);
headings.push(...documents, ...plain);

type Face = { family: string; file: string; characters: Set<number> };

/** What the style sheet says of its faces: which file has which characters. */
const faces: Face[] = readFileSync(new URL('./fonts.css', import.meta.url), 'utf8')
  .split('@font-face')
  .slice(1)
  .map((rule) => {
    const said = (pattern: RegExp): string => pattern.exec(rule)?.[1] ?? '';
    const ranges = [...said(/unicode-range:([^;]+);/).matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)];
    const characters = new Set<number>();
    for (const [, from = '', to = from] of ranges)
      for (let code = parseInt(from, 16); code <= parseInt(to, 16); code++) characters.add(code);
    return { family: said(/font-family: '([^']+)'/), file: said(/url\('\.\/fonts\/([^']+)'\)/), characters };
  })
  // What stands in for them lies on the person's own machine.
  .filter(({ file }) => file !== '');
const partsOf = (family: string): Face[] => faces.filter((face) => face.family === family);
const display = partsOf('YQ Display');

describe('the display face', () => {
  it('has every Chinese character of the headings', () => {
    const known = new Set(display.flatMap(({ characters }) => [...characters]));
    const missing = headings
      .flatMap((text) => [...text])
      .filter((c) => c > '\u2fff' && !known.has(c.codePointAt(0) ?? 0));
    expect(known.size).toBeGreaterThan(400);
    expect(missing).toEqual([]);
  });

  it.each(display)('has in $file what the style sheet says', ({ file, characters }) => {
    expect([...charactersOf(readFileSync(new URL(file, FOLDER)))].sort()).toEqual([...characters].sort());
  });

  it('has the titles of console pages in one part', () => {
    const part = display.find(({ file }) => file.includes('console'));
    const titles = consolePages.map(({ name }) => app[name]);
    const missing = [...titles, ...Object.values(greetings)]
      .flatMap((text) => [...text])
      .filter((c) => c > '\u2fff' && !part?.characters.has(c.codePointAt(0) ?? 0));
    expect(titles.length).toBeGreaterThan(10);
    expect(missing).toEqual([]);
  });
});

describe('every face', () => {
  it.each([...new Set(faces.map(({ family }) => family))])('%s has each character in one part only', (family) => {
    const all = partsOf(family).flatMap(({ characters }) => [...characters]);
    expect(all.length).toBe(new Set(all).size);
  });

  it('lies in the files of the folder, all of them', () => {
    const files = readdirSync(FOLDER).filter((name) => name.endsWith('.woff2'));
    expect([...new Set(faces.map(({ file }) => file))].sort()).toEqual(files.sort());
  });
});
