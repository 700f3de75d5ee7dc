import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fontsCover } from './font-coverage.js';
import { MediaInstall } from './media-install.js';

const tag = (name: string): Buffer => Buffer.from(name, 'latin1');
const u16 = (...values: number[]): Buffer => Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));
const u32 = (...values: number[]): Buffer => {
  const all = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => all.writeUInt32BE(value, at * 4));
  return all;
};

/** A font with only a `cmap` of these letters, at offset `start` of its file. */
function font(subtable: Buffer, start = 0): Buffer {
  const cmap = Buffer.concat([u16(0, 1, 3, 1), u32(12), subtable]);
  const directory = [u32(0x0001_0000), u16(1, 0, 0, 0), tag('cmap'), u32(0, start + 28, cmap.length)];
  return Buffer.concat([...directory, cmap]);
}
/** U+0061–U+0063 by their offset, U+0E01 and U+0E03 by a list without U+0E02. */
const SEGMENTS = Buffer.concat([
  u16(4, 50, 0, 6, 0, 0, 0),
  u16(0x63, 0xe03, 0xffff),
  u16(0),
  u16(0x61, 0xe01, 0xffff),
  u16(0x1_0000 - 0x60, 0, 1),
  u16(0, 4, 0),
  u16(7, 0, 8),
]);
const GROUPS = Buffer.concat([u16(12, 0), u32(40, 0, 2), u32(0x4e00, 0x4e02, 1, 0x2_0000, 0x2_0001, 9)]);

let root: string;
const folderOf = async (name: string, files: Record<string, Buffer>): Promise<string> => {
  const at = await mkdtemp(path.join(root, name));
  for (const [file, bytes] of Object.entries(files)) await writeFile(path.join(at, file), bytes);
  return at;
};
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'fonts-'));
});
afterAll(() => rm(root, { recursive: true }));

describe('fonts', () => {
  it('cover a text if each of its letters is in one of them', async () => {
    const first = await folderOf('first', { 'a.ttf': font(SEGMENTS) });
    const second = await folderOf('second', { 'b.otf': font(GROUPS) });
    expect(await fontsCover('abc ก, ฃ!', [first])).toBe(true);
    for (const text of ['d', 'aZ', 'ข', '一', '\u{20000}']) expect(await fontsCover(text, [first])).toBe(false);
    expect(await fontsCover('一丂\u{20001}', [second])).toBe(true);
    expect(await fontsCover('七', [second])).toBe(false);
    expect(await fontsCover('a一', [first, second])).toBe(true);
    expect(await fontsCover('a一', [second, '/no/such/folder'])).toBe(false);
    // Characters other than letters need no glyph.
    expect(await fontsCover('!? ', [])).toBe(true);
  });

  it('include all fonts of a collection, and ignore files that are not fonts', async () => {
    const head = Buffer.concat([tag('ttcf'), u32(0x0001_0000, 2)]);
    const [at, next] = [20, 20 + font(SEGMENTS).length];
    const collection = Buffer.concat([head, u32(at, next), font(SEGMENTS, at), font(GROUPS, next)]);
    const folder = await folderOf('many', {
      'c.ttc': collection,
      'a.ttf': Buffer.from('no font'),
      'b.ttf': Buffer.alloc(0),
      'readme.txt': font(GROUPS),
      'cut.ttf': font(GROUPS).subarray(0, 60),
    });
    expect(await fontsCover('a一', [folder])).toBe(true);
    expect(await fontsCover('七', [folder])).toBe(false);
  });

  it('installed on this machine cover their scripts', async () => {
    const { fontFolders } = new MediaInstall(process.env['MEDIA_DIR'] ?? '');
    expect(await fontsCover('Español 简体中文 日本語', fontFolders)).toBe(true);
  });
});
