import { readdirSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import glossary from '../features/glossary/texts.zh.js';
import home from '../features/home/texts.zh.js';
import paySuccess from '../features/pay-success/texts.zh.js';
import price from '../features/price/texts.zh.js';
import recharge from '../features/recharge/texts.zh.js';
import payment from './payment/texts.zh.js';
import login from '../features/login/texts.zh.js';
import orders from '../features/orders/texts.zh.js';
import overview from '../features/overview/texts.zh.js';
import subAccounts from '../features/sub-accounts/texts.zh.js';
import app from '../app/texts.zh.js';
import nickname from './nickname/texts.zh.js';

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

/** Texts that are set in the display face: page titles, the headings of public pages and the titles of dialogs (DESIGN §2). */
const headings = [
  ...Object.entries(app).filter(([key]) => key.startsWith('page')),
  ...Object.entries(home).filter(([key]) => /^headline|Title$|^statement[12]$|^sixChannels$/.test(key)),
  ...Object.entries(login).filter(([key]) => /Title$|^logIn$|^signUp$/.test(key)),
  ...Object.entries(subAccounts).filter(([key]) => /Title$/.test(key)),
  ...Object.entries(orders).filter(([key]) => /Title$|^details$/.test(key)),
  ...Object.entries(overview).filter(([key]) => /^offLink$|^channelTitle$/.test(key)),
  ...Object.entries(payment).filter(([key]) => /Title$/.test(key)),
  ...Object.entries(paySuccess).filter(([key]) => /^(checking|paid|confirming|closed|visitor|unknown)$/.test(key)),
  ...Object.entries(price).filter(([key]) => /^title$|^(char|time)Title$/.test(key)),
  ...Object.entries(recharge).filter(([key]) => key === 'title'),
  ...Object.entries(glossary).filter(([key]) => /title$/i.test(key) && !key.startsWith('invalid')),
  ...Object.entries(nickname).filter(([key]) => key === 'change'),
].map(([, text]) => text);

describe('the display face', () => {
  it('has every Chinese character of the headings', () => {
    const files = readdirSync(FOLDER).filter((name) => name.startsWith('yq-display'));
    const known = new Set(files.flatMap((name) => [...charactersOf(readFileSync(new URL(name, FOLDER)))]));
    const missing = headings
      .flatMap((text) => [...text])
      .filter((c) => c > '\u2fff' && !known.has(c.codePointAt(0) ?? 0));
    expect(known.size).toBeGreaterThan(400);
    expect(missing).toEqual([]);
  });
});
