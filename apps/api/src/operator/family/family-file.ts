import { createHmac, randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { Seal } from '../../backup/seal.js';
import { CommandError } from '../../platform/cli-messages.js';
import type { Config, Settings } from '../../platform/config.js';

const shape = {
  /** Seals the file of a family that moves; both installations have it, the file never. */
  FAMILY_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, '64 hexadecimal digits (openssl rand -hex 32)')
    .optional(),
};
export const familySettings: Settings<typeof shape> = { shape, problems: () => [] };

/** Throws CommandError. */
export function familyKeyOf(config: Config): string {
  const { FAMILY_KEY: key } = config.read(familySettings);
  if (key !== undefined) return key;
  throw new CommandError({
    zh: '缺少 FAMILY_KEY：用 openssl rand -hex 32 生成，两处安装都要设置同一个',
    en: 'FAMILY_KEY is missing: make one with openssl rand -hex 32, and set the same in both installations.',
  });
}

export const FORMAT = 'yiqiao-family/1';

/** `schema`: the newest migration. `secret`: which APP_SECRET the source has, without telling it. */
export type FamilyHead = {
  format: typeof FORMAT;
  file: string;
  familyId: number;
  schema: string;
  exportedAt: string;
  secret: string;
};
export type Row = Readonly<Record<string, unknown>>;
export type Line = { table: string; row: Row };

/** What only an installation that has opened the file can say. */
export const receiptOf = (key: string, file: string): string =>
  createHmac('sha256', Buffer.from(key, 'hex')).update(`received ${file}`).digest('hex').slice(0, 20);

// The file: a mark, the id of the file, then pieces, each as its length and its sealed content. A piece is sealed under the name of its file, its
// number, and whether it is the last: none can be left out, repeated, moved to another place or to another file.
const MARK = Buffer.from('YQFM\x01', 'latin1');
const ID_CHARS = 36;
const LENGTH_BYTES = 4;
const PIECE_CHARS = 4 * 2 ** 20;
const PIECE_MOST = 64 * 2 ** 20;

const pieceName = (file: string, n: number, isLast: boolean): string => `family ${file} ${n}${isLast ? ' end' : ''}`;
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Writes the file beside its place, readable by its owner alone, and moves it there when it is whole. Never overwrites one. */
export class FamilyFileWriter {
  readonly file = randomUUID();
  readonly #seal: Seal;
  #text = '';
  #pieces = 0;

  private constructor(
    private readonly to: FileHandle,
    private readonly path: string,
    key: string,
  ) {
    this.#seal = new Seal(key);
  }

  static async create(path: string, key: string): Promise<FamilyFileWriter> {
    // Takes the name, so that no file is overwritten in the end.
    await (await opened(path, 'wx')).close();
    const writer = new FamilyFileWriter(await opened(`${path}.part`, 'w'), path, key);
    await writer.to.write(Buffer.concat([MARK, Buffer.from(writer.file)]));
    return writer;
  }

  async write(line: string): Promise<void> {
    this.#text += `${line}\n`;
    if (this.#text.length >= PIECE_CHARS) await this.#put(false);
  }

  async finish(): Promise<void> {
    await this.#put(true);
    await this.to.sync();
    await this.to.close();
    await rename(`${this.path}.part`, this.path);
  }

  async discard(): Promise<void> {
    await this.to.close().catch(() => undefined);
    await rm(`${this.path}.part`, { force: true });
    await rm(this.path, { force: true });
  }

  async #put(isLast: boolean): Promise<void> {
    const packed = await compress(this.#text);
    const piece = this.#seal.seal(pieceName(this.file, this.#pieces++, isLast), packed);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(piece.length);
    await this.to.write(Buffer.concat([length, piece]));
    this.#text = '';
  }
}

async function opened(path: string, flags: string): Promise<FileHandle> {
  try {
    return await open(path, flags, 0o600);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new CommandError({
        zh: `${path} 已经存在，不会覆盖`,
        en: `${path} already exists; it was not overwritten.`,
      });
    throw new CommandError({ zh: `打不开 ${path}（${code}）`, en: `Cannot open ${path} (${code}).` });
  }
}

/** The lines of a file, in order. Throws CommandError at the first piece that was altered, cut or sealed with another key. */
export async function* readFamilyFile(path: string, key: string): AsyncGenerator<string> {
  const seal = new Seal(key);
  const from = await opened(path, 'r');
  try {
    const read = async (bytes: number): Promise<Buffer> => {
      const buffer = Buffer.alloc(bytes);
      const { bytesRead } = await from.read(buffer, 0, bytes);
      return buffer.subarray(0, bytesRead);
    };
    const head = await read(MARK.length + ID_CHARS);
    if (!head.subarray(0, MARK.length).equals(MARK)) throw notOne(path);
    const file = head.subarray(MARK.length).toString('latin1');
    const { size } = await from.stat();
    let at = head.length;
    for (let n = 0; at < size; n++) {
      const length = await read(LENGTH_BYTES);
      const bytes = length.length === LENGTH_BYTES ? length.readUInt32BE() : 0;
      if (bytes === 0 || bytes > PIECE_MOST) throw damaged(path);
      at += LENGTH_BYTES + bytes;
      const piece = await read(bytes);
      const isLast = at >= size;
      const text = await decompress(openPiece(seal, pieceName(file, n, isLast), { piece, path }));
      for (const line of text.toString('utf8').split('\n')) if (line !== '') yield line;
      if (isLast) return;
    }
    throw damaged(path);
  } finally {
    await from.close();
  }
}

function openPiece(seal: Seal, name: string, { piece, path }: { piece: Buffer; path: string }): Buffer {
  try {
    return seal.open(name, piece);
  } catch (error) {
    if (error instanceof CommandError && error.text.en.startsWith('The wrong')) {
      throw new CommandError({ zh: `FAMILY_KEY 不对，打不开 ${path}`, en: `The wrong FAMILY_KEY for ${path}.` });
    }
    throw damaged(path);
  }
}

const notOne = (path: string): CommandError =>
  new CommandError({ zh: `${path} 不是迁移家庭的文件`, en: `${path} is no file of a family.` });
export const damaged = (path: string): CommandError =>
  new CommandError({ zh: `${path} 已损坏、被改动或不完整`, en: `${path} is damaged, altered or cut short.` });
