import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A process of a mode's pipeline. User text reaches it only through its standard input. */
export type Stage = { readonly program: string; readonly args: readonly string[] };

// The programs that a mode file may start. Modes with others are not used.
const PROGRAMS = new Set([
  'lt-proc',
  'lrx-proc',
  'lsx-proc',
  'cg-proc',
  'rtx-proc',
  'apertium-tagger',
  'apertium-pretransfer',
  'apertium-transfer',
  'apertium-interchunk',
  'apertium-postchunk',
  'apertium-posttransfer',
  'apertium-anaphora',
  'apertium-wblank-attach',
  'apertium-wblank-detach',
]);

const TRIPLES: Partial<Record<NodeJS.Architecture, string>> = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' };

/**
 * The location of Apertium: the system's ('' or '/'), or Debian packages unpacked below our own folder, which needs no root. Absolute paths in
 * their mode files are read as paths below `folder`, so that the folder can be moved.
 */
export class ApertiumInstall {
  private readonly root: string;
  private readonly bins: readonly string[];
  readonly environment: Readonly<Record<string, string>>;

  constructor(folder: string) {
    this.root = folder === '/' ? '' : folder.replace(/\/+$/, '');
    const system = ['/usr/bin', '/usr/local/bin', '/bin'];
    // Programs that the system already had were not unpacked.
    this.bins = this.root === '' ? system : [join(this.root, 'usr/bin'), ...system];
    const libraries = [`usr/lib/${TRIPLES[process.arch] ?? ''}`, 'usr/lib'].map((path) => join(this.root, path));
    this.environment = {
      PATH: this.bins.join(':'),
      LC_ALL: 'C.UTF-8',
      ...(this.root === '' ? {} : { LD_LIBRARY_PATH: libraries.join(':') }),
    };
  }

  /** The named modes with all their programs and data. None when Apertium is not installed. Never throws. */
  async installed(modes: readonly string[]): Promise<ReadonlySet<string>> {
    if ((await this.find('apertium-wblank-mode')) === null) return new Set();
    const complete = await Promise.all(modes.map(async (mode) => ((await this.isComplete(mode)) ? [mode] : [])));
    return new Set(complete.flat());
  }

  /** The processes of a mode, with the option to flush after every NUL, so that they can serve many requests. */
  async stages(mode: string): Promise<Stage[]> {
    const rewriter = await this.find('apertium-wblank-mode');
    if (rewriter === null) throw new Error('apertium-wblank-mode is missing');
    const { stdout } = await run(rewriter, ['-z', this.modeFile(mode)], { env: this.environment, timeout: 5000 });
    return Promise.all(
      withoutBrokenTagger(mode, parse(stdout)).map(async ({ program, args }) => {
        const path = PROGRAMS.has(program) ? await this.find(program) : null;
        if (path === null) throw new Error(`${mode} needs ${program}`);
        return { program: path, args: args.map((arg) => this.moved(arg)) };
      }),
    );
  }

  private modeFile(mode: string): string {
    return join(this.root, '/usr/share/apertium/modes', `${mode}.mode`);
  }

  private moved(arg: string): string {
    const inside = arg.indexOf('/usr/share/apertium/');
    return inside < 0 ? arg : this.root + arg.slice(inside);
  }

  private async isComplete(mode: string): Promise<boolean> {
    try {
      const stages = parse(await readFile(this.modeFile(mode), 'utf8'));
      const files = stages.flatMap(({ args }) =>
        args.map((arg) => this.moved(arg)).filter((arg) => arg.startsWith('/')),
      );
      await Promise.all(files.map((file) => access(file, constants.R_OK)));
      const programs = stages.map(({ program }) => program);
      if (!programs.every((program) => PROGRAMS.has(program))) return false;
      return (await Promise.all(programs.map((program) => this.find(program)))).every((path) => path !== null);
    } catch {
      return false;
    }
  }

  private async find(program: string): Promise<string | null> {
    for (const bin of this.bins) {
      const path = join(bin, program);
      if (
        await access(path, constants.X_OK).then(
          () => true,
          () => false,
        )
      )
        return path;
    }
    return null;
  }
}

/**
 * A mode file is one shell line of programs and quoted paths. It is parsed, not run: `$1` becomes the generator's `-n` (unknown words are not
 * marked), `$2` nothing. Throws for any other form.
 */
export const parse = (line: string): Stage[] => {
  const stages: string[][] = [[]];
  for (const [word, quoted] of line.matchAll(/'([^']*)'|\||[^\s'|]+/g)) {
    if (word === '|') stages.push([]);
    else if (quoted !== undefined) stages.at(-1)?.push(quoted);
    else if (word === '$1') stages.at(-1)?.push('-n');
    else if (/^[\w./+-]+$/.test(word)) stages.at(-1)?.push(word);
    else if (word !== '$2') throw new Error(`A mode file may not say ${word}`);
  }
  return stages.map(([program, ...args]) => {
    if (program === undefined) throw new Error('A mode file has an empty stage');
    return { program, args };
  });
};

/** Debian 12's tagger crashes on the Russian model; without it the grammar picks the first reading, with good results. */
const withoutBrokenTagger = (mode: string, stages: Stage[]): Stage[] =>
  mode !== 'rus-ukr' && mode !== 'rus-bel'
    ? stages
    : stages
        .filter(({ program }) => program !== 'apertium-tagger')
        .map((stage) => (stage.program === 'cg-proc' ? { ...stage, args: ['-1', '-n', ...stage.args] } : stage));
