import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { CommandError } from '../platform/cli-messages.js';
import { gapSchema } from './gap.js';
import { damaged, Seal } from './seal.js';
import type { BackupValues } from './settings.js';
import { openStorage, type Storage, type StoredObject } from './storage.js';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
/** Twice as fast as the default and a tenth larger: the disk and the network are slower. */
export const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

const lsn = z.string().regex(/^[0-9A-F]+\/[0-9A-F]+$/);
const moment = z.iso.datetime();

/** A full copy. Only one with this object, which is written last, counts. */
const copySchema = z.object({
  id: z.string(),
  startedAt: moment,
  /** From this moment on it can be restored. */
  stoppedAt: moment,
  timeline: z.int(),
  startLsn: lsn,
  stopLsn: lsn,
  stopTimeline: z.int(),
  segmentBytes: z.int(),
  serverVersion: z.string(),
  /** Signs in to the restored server. */
  owner: z.string(),
  database: z.string(),
  /** Before compression. */
  tarBytes: z.int(),
  pieces: z.array(z.object({ name: z.string(), bytes: z.int(), sha256: z.string() })),
});
export type Copy = z.output<typeof copySchema>;

/** How far the archive of a timeline goes: it has everything that was committed until `at`. */
const reachSchema = z.object({ timeline: z.int(), lsn, at: moment });
export type Reach = z.output<typeof reachSchema>;

/** A timeline that a restore or a fail-over began. */
const timelineSchema = z.object({ timeline: z.int(), beganAt: moment });
type Timeline = z.output<typeof timelineSchema>;

/** A restore whose server has not been taken into use yet. `to`: null for the newest state; `gap`: null if it could not be read. */
const restoreSchema = z.object({
  madeAt: moment,
  to: moment.nullable(),
  restoredTo: moment,
  timeline: z.int(),
  gap: gapSchema.nullable(),
});
export type RestoreRecord = z.output<typeof restoreSchema>;

const clusterSchema = z.object({ systemId: z.string() });

const FULL = 'full/';
const WAL = 'wal/';
const REACH = 'reach/';
const TIMELINES = 'timelines/';
const RESTORE = 'restore';
const MANIFEST = '/manifest';

export const pieceName = (copyId: string, at: number): string => `${FULL}${copyId}/${String(at).padStart(5, '0')}`;
export const settingsName = (copyId: string): string => `${FULL}${copyId}/settings`;
export const walName = (file: string): string => `${WAL}${file}`;

/** What backups are kept in: sealed objects of a folder or a bucket. */
export class Repository {
  constructor(
    private readonly storage: Storage,
    private readonly seal: Seal,
  ) {}

  static async open(values: BackupValues): Promise<Repository> {
    return new Repository(await openStorage(values), new Seal(values.BACKUP_KEY));
  }

  /** Returns the size and the checksum of what is stored. */
  async write(name: string, content: Uint8Array): Promise<{ bytes: number; sha256: string }> {
    const sealed = this.seal.seal(name, content);
    await this.storage.put(name, sealed);
    return { bytes: sealed.length, sha256: hash('sha256', sealed) };
  }

  /** Null if there is none. Throws CommandError if it is damaged or of another key, or differs from `expected`. */
  async read(name: string, expected?: { sha256: string }): Promise<Buffer | null> {
    const sealed = await this.storage.get(name);
    if (sealed === null) return null;
    if (expected && hash('sha256', sealed) !== expected.sha256) throw damaged(name);
    return this.seal.open(name, sealed);
  }

  /** The same, but it must be there. */
  async require(name: string, expected?: { sha256: string }): Promise<Buffer> {
    const content = await this.read(name, expected);
    if (content) return content;
    throw new CommandError({ zh: `备份缺少文件：${name}`, en: `This file of the backup is missing: ${name}` });
  }

  /** `file`: a segment, a part of one, or a history. */
  async writeWal(file: string, content: Uint8Array): Promise<void> {
    await this.write(walName(file), await compress(content, COMPRESSION));
  }

  async readWal(file: string): Promise<Buffer | null> {
    const packed = await this.read(walName(file));
    return packed && decompress(packed);
  }

  async removeWal(file: string): Promise<void> {
    await this.storage.remove(walName(file));
  }

  /** Names of segments, parts and histories, in order. */
  async wal(): Promise<StoredObject[]> {
    return (await this.storage.list(WAL)).map(({ name, bytes }) => ({ name: name.slice(WAL.length), bytes }));
  }

  /** Every full copy that counts, the oldest first. */
  async copies(): Promise<Copy[]> {
    const manifests = (await this.storage.list(FULL)).filter(({ name }) => name.endsWith(MANIFEST));
    const copies = await Promise.all(manifests.map(({ name }) => this.#json(name, copySchema)));
    return copies.filter((copy) => copy !== null);
  }

  async finish(copy: Copy): Promise<void> {
    await this.#writeJson(`${FULL}${copy.id}${MANIFEST}`, copy);
  }

  /** Copies that were begun and do not count. */
  async unfinished(): Promise<string[]> {
    const names = (await this.storage.list(FULL)).map(({ name }) => name);
    const ids = [...new Set(names.map((name) => name.split('/')[1] ?? ''))];
    return ids.filter((id) => !names.includes(`${FULL}${id}${MANIFEST}`));
  }

  /** It stops counting first, so that half a copy never counts. */
  async removeCopy(id: string): Promise<void> {
    await this.storage.remove(`${FULL}${id}${MANIFEST}`);
    for (const { name } of await this.storage.list(`${FULL}${id}/`)) await this.storage.remove(name);
  }

  /** Null before anything of the timeline was archived. */
  reach(timeline: number): Promise<Reach | null> {
    return this.#json(`${REACH}${timeline}`, reachSchema);
  }

  async extendReach(reach: Reach): Promise<void> {
    await this.#writeJson(`${REACH}${reach.timeline}`, reach);
  }

  async reaches(): Promise<Reach[]> {
    const all = await Promise.all((await this.storage.list(REACH)).map(({ name }) => this.#json(name, reachSchema)));
    return all.filter((reach) => reach !== null).sort((a, b) => a.timeline - b.timeline);
  }

  async timelines(): Promise<Timeline[]> {
    const names = (await this.storage.list(TIMELINES)).map(({ name }) => name);
    const all = await Promise.all(names.map((name) => this.#json(name, timelineSchema)));
    return all.filter((timeline) => timeline !== null).sort((a, b) => a.timeline - b.timeline);
  }

  /** Keeps when it began, unless that is known. */
  async beginTimeline(timeline: Timeline): Promise<void> {
    const name = `${TIMELINES}${timeline.timeline}`;
    if (!(await this.#json(name, timelineSchema))) await this.#writeJson(name, timeline);
  }

  /** The last one that was made; null before the first. */
  lastRestore(): Promise<RestoreRecord | null> {
    return this.#json(RESTORE, restoreSchema);
  }

  async noteRestore(record: RestoreRecord): Promise<void> {
    await this.#writeJson(RESTORE, record);
  }

  /** A repository is of one cluster: throws CommandError for another. */
  async claim(systemId: string): Promise<void> {
    const known = await this.#json('cluster', clusterSchema);
    if (known === null) return this.#writeJson('cluster', { systemId });
    if (known.systemId !== systemId)
      throw new CommandError({
        zh: `这里已有另一个数据库集群的备份（${known.systemId}，现在的是 ${systemId}）：请为新的集群设置另一个 BACKUP_URL`,
        en: `Another cluster’s backups are kept here (${known.systemId}; this one is ${systemId}): set another BACKUP_URL for this cluster.`,
      });
  }

  async #json<T>(name: string, schema: z.ZodType<T>): Promise<T | null> {
    const content = await this.read(name);
    return content && schema.parse(JSON.parse(content.toString('utf8')));
  }

  async #writeJson(name: string, value: object): Promise<void> {
    await this.write(name, Buffer.from(JSON.stringify(value)));
  }
}
