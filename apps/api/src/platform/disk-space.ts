import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Config } from './config.js';

/** `freeShare`: 0–1 of what may be used without special rights. */
export type DiskSpace = { path: string; freeBytes: number; freeShare: number };

const GIB = 2 ** 30;

/** Both must be undercut: a tenth of a large disk is much, and all of a small one is little. */
const LOW = { share: 0.1, bytes: 20 * GIB };
const FULL = { share: 0.02, bytes: GIB };

const isBelow = ({ freeBytes, freeShare }: DiskSpace, { share, bytes }: typeof LOW): boolean =>
  freeShare < share && freeBytes < bytes;

export const diskStateOf = (space: DiskSpace): (typeof STATES)[number] =>
  isBelow(space, FULL) ? 'full' : isBelow(space, LOW) ? 'low' : 'ok';

const STATES = ['full', 'low', 'ok'] as const;

/** By what needs attention: a small disk that is full before a large one with a smaller share left. */
export const byNeed = (a: DiskSpace, b: DiskSpace): number =>
  STATES.indexOf(diskStateOf(a)) - STATES.indexOf(diskStateOf(b)) || a.freeShare - b.freeShare;

/** The file systems that this process works with, the one that needs attention most first. Rejects when one cannot be read. */
export async function diskSpaces({ env }: Config): Promise<DiskSpace[]> {
  const paths = [process.cwd(), tmpdir(), ...(env.DATA_DIR === undefined ? [] : [env.DATA_DIR]), ...env.DISK_PATHS];
  const spaces = await Promise.all([...new Set(paths)].map(spaceOf));
  return spaces.filter((space) => space !== null).sort(byNeed);
}

/** Null where the question makes no sense, as in /proc. */
async function spaceOf(path: string): Promise<DiskSpace | null> {
  const { bavail, blocks, bsize } = await statfs(path);
  return blocks === 0 ? null : { path, freeBytes: bavail * bsize, freeShare: bavail / blocks };
}
