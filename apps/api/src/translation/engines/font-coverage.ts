import { open, readdir, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

/** The maximum number of fonts read from a collection, more than any has in practice. */
const FONTS_MOST = 64;
const TABLE_BYTES = 4 * 1024 * 1024;

/** Whether the fonts in these folders together have a glyph for every letter of `text`: the drawing library falls back by letter. */
export async function fontsCover(text: string, folders: readonly string[]): Promise<boolean> {
  const missing = new Set(
    [...text].filter((letter) => /[\p{L}\p{N}]/u.test(letter)).map((one) => one.codePointAt(0) ?? 0),
  );
  for (const folder of folders) {
    const names = await readdir(folder, { recursive: true }).catch(() => []);
    for (const name of names.filter((each) => /\.(ttf|otf|ttc|otc)$/i.test(each))) {
      if (missing.size === 0) return true;
      // A broken font has no letters.
      for (const letter of await lettersOf(join(folder, name), missing).catch(() => [])) missing.delete(letter);
    }
  }
  return missing.size === 0;
}

type Has = (letter: number) => boolean;

/** The wanted letters that a font file has, by its `cmap` table (OpenType 1.9). Throws for any other file. */
async function lettersOf(path: string, wanted: Iterable<number>): Promise<readonly number[]> {
  const file = await open(path);
  try {
    const head = await bytesOf(file, 0, 12);
    const isCollection = head.toString('latin1', 0, 4) === 'ttcf';
    const count = isCollection ? Math.min(FONTS_MOST, head.readUInt32BE(8)) : 1;
    const starts = isCollection ? await bytesOf(file, 12, count * 4) : Buffer.alloc(4);
    // The fonts of a collection mostly share one table.
    const places = new Map<number, number>();
    for (let nth = 0; nth < count; nth++) {
      const place = await cmapOf(file, starts.readUInt32BE(nth * 4));
      if (place) places.set(...place);
    }
    const all: Has[] = [];
    for (const [at, length] of places) all.push(...subtablesOf(await bytesOf(file, at, Math.min(length, TABLE_BYTES))));
    return [...wanted].filter((letter) => all.some((has) => has(letter)));
  } finally {
    await file.close();
  }
}

async function bytesOf(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

async function cmapOf(file: FileHandle, start: number): Promise<[at: number, length: number] | null> {
  const tables = await bytesOf(file, start + 12, (await bytesOf(file, start, 6)).readUInt16BE(4) * 16);
  for (let at = 0; at < tables.length; at += 16)
    if (tables.toString('latin1', at, at + 4) === 'cmap')
      return [tables.readUInt32BE(at + 8), tables.readUInt32BE(at + 12)];
  return null;
}

/** The Unicode subtables: format 4 up to U+FFFF, 12 beyond. */
function subtablesOf(cmap: Buffer): Has[] {
  return Array.from({ length: cmap.readUInt16BE(2) }, (_, nth) => cmap.readUInt32BE(4 + nth * 8 + 4)).flatMap((at) => {
    const format = cmap.readUInt16BE(at);
    if (format === 4) return [inSegments(cmap.subarray(at))];
    return format === 12 ? [inGroups(cmap.subarray(at))] : [];
  });
}

const inSegments =
  (table: Buffer): Has =>
  (letter) => {
    const twice = table.readUInt16BE(6);
    for (let at = 0; at < twice; at += 2) {
      if (letter > table.readUInt16BE(14 + at)) continue;
      const start = table.readUInt16BE(16 + twice + at);
      if (letter < start) return false;
      const [delta, offset] = [table.readUInt16BE(16 + 2 * twice + at), table.readUInt16BE(16 + 3 * twice + at)];
      if (offset === 0) return ((letter + delta) & 0xffff) !== 0;
      // Relative to the position of the offset itself.
      const place = 16 + 3 * twice + at + offset + 2 * (letter - start);
      return place + 2 <= table.length && table.readUInt16BE(place) !== 0;
    }
    return false;
  };

const inGroups =
  (table: Buffer): Has =>
  (letter) => {
    for (let nth = table.readUInt32BE(12) - 1, at = 16 + nth * 12; nth >= 0; nth--, at -= 12)
      if (letter >= table.readUInt32BE(at) && letter <= table.readUInt32BE(at + 4)) return true;
    return false;
  };
