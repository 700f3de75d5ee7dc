/** A file system of its own for one process, so small that a test can fill it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const BYTES = 2 ** 24;

/** A user may mount in a name space of their own, where the system allows those. */
const OWN = ['unshare', '--user', '--map-root-user', '--mount'];
const mount = (folder: string): string[] => ['mount', '-t', 'tmpfs', '-o', `size=${BYTES}`, 'small', folder];

const probe = (): boolean => {
  const [command = '', ...args] = [...OWN, ...mount(tmpdir())];
  return spawnSync(command, args).status === 0;
};

/** Why the disk is none, for the name of a test; empty where it is a real one. */
export const WITHOUT_MOUNT = probe()
  ? ''
  : ' (nothing can be mounted here: what the system says of its space is replaced)';

export class SmallDisk {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'small-disk-'));

  /** For the process that is to see it. */
  get env(): Record<string, string> {
    const watched = { DISK_PATHS: this.folder };
    if (WITHOUT_MOUNT === '') return watched;
    const code = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
const real = fs.promises.statfs;
fs.promises.statfs = async (path, ...more) => path !== ${JSON.stringify(this.folder)} ? real(path, ...more) :
  { bsize: 1, blocks: ${BYTES}, bavail: ${BYTES} - (fs.statSync(path + '/filling', { throwIfNoEntry: false })?.size ?? 0) };
syncBuiltinESMExports();`;
    return { ...watched, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
  }

  /** The command that mounts it and becomes the process. */
  get within(): string[] {
    if (WITHOUT_MOUNT !== '') return [];
    return [...OWN, 'sh', '-c', `${mount('"$0"').join(' ')} && exec "$@"`, this.folder];
  }

  /** `share`: 0–1 of the whole. `pid`: of the process that has it. */
  async fill(share: number, pid: number): Promise<void> {
    const seen = WITHOUT_MOUNT === '' ? `/proc/${pid}/root${this.folder}` : this.folder;
    await writeFile(path.join(seen, 'filling'), Buffer.alloc(Math.floor(BYTES * share)));
  }

  /** The mount has ended with its process. */
  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }
}
