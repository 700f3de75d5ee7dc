import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const TRIPLES: Partial<Record<NodeJS.Architecture, string>> = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };

/** The programs of the packages. */
export type MediaProgram =
  'tesseract' | 'ffmpeg' | 'ffprobe' | 'pocketsphinx_continuous' | 'pocketsphinx' | 'espeak-ng';

/**
 * The location of the media programs: the system's ('' or '/'), or Debian packages unpacked below our own folder, which needs no root and can
 * be moved.
 */
export class MediaInstall {
  readonly #root: string;
  readonly #bins: readonly string[];
  /** The programs' whole environment: the paths of their libraries and data. */
  readonly environment: Readonly<Record<string, string>>;

  constructor(folder: string) {
    this.#root = folder === '/' ? '' : folder.replace(/\/+$/, '');
    const system = ['/usr/bin', '/usr/local/bin', '/bin'];
    // Programs that the system already had were not unpacked.
    this.#bins = this.#root === '' ? system : [this.path('usr/bin'), ...system];
    this.environment = {
      PATH: this.#bins.join(':'),
      LC_ALL: 'C.UTF-8',
      // One thread is as fast as two and leaves the other processor free.
      OMP_THREAD_LIMIT: '1',
      ...(this.#root === '' ? {} : this.#unpacked()),
    };
  }

  /** A file or folder of the packages: `usr/share/…`. */
  path(inside: string): string {
    return join(this.#root === '' ? '/' : this.#root, inside);
  }

  /** A path below the packages' folder for architecture-dependent files. */
  library(inside: string): string {
    return this.path(join('usr/lib', TRIPLES[process.arch] ?? '', inside));
  }

  /** The path of a program, or null. */
  async find(program: MediaProgram): Promise<string | null> {
    for (const bin of this.#bins) {
      const path = join(bin, program);
      if (await canRun(path)) return path;
    }
    return null;
  }

  /** Folders with fonts, ours first. */
  get fontFolders(): readonly string[] {
    const system = ['/usr/share/fonts', '/usr/local/share/fonts'];
    return this.#root === '' ? system : [this.path('usr/share/fonts'), ...system];
  }

  /** The names in a folder of the packages; none when it is not there. */
  list(inside: string): Promise<readonly string[]> {
    return readdir(this.path(inside)).catch(() => []);
  }

  #unpacked(): Record<string, string> {
    const own = this.library('');
    const libraries = [own, this.path(join('lib', TRIPLES[process.arch] ?? ''))];
    const inFolders = ['blas', 'lapack', 'pulseaudio'].map((folder) => join(own, folder));
    return {
      LD_LIBRARY_PATH: [...libraries, ...inFolders, this.path('usr/lib')].join(':'),
      TESSDATA_PREFIX: this.path('usr/share/tesseract-ocr/5/tessdata'),
      ESPEAK_DATA_PATH: own,
    };
  }
}

const canRun = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
