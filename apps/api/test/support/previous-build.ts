/** The build of the last release, or of the code before the newest migration, from the history of the repository. */
import { transformFile } from '@swc/core';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './packaging.js';

const git = (...args: string[]): string => {
  try {
    return execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
};

/** The commit, or null where there is no history: an archive, or a clone without depth. */
export function previousCommit(newestMigration: string): string | null {
  const release = git('describe', '--tags', '--abbrev=0', '--match', 'v*');
  if (release !== '') return git('rev-parse', '--verify', `${release}^{commit}`) || null;
  const added = git('log', '--diff-filter=A', '-1', '--format=%H', '--', `apps/api/migrations/${newestMigration}.ts`);
  return git('rev-parse', '--verify', added === '' ? 'HEAD' : `${added}^`) || null;
}

/** Compiles the programs of that commit into a new folder, on the dependencies of this one. Returns where the programs are. */
export async function buildOf(commit: string): Promise<{ folder: string; programs: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'previous-'));
  const archive = execFileSync('git', ['-C', root, 'archive', commit, 'apps/api', 'packages'], { maxBuffer: 1 << 28 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  await Promise.all(
    [
      ['packages/domain/src', 'packages/domain/dist'],
      ['packages/contracts/src', 'packages/contracts/dist'],
      ['apps/api/src', 'apps/api/dist/src'],
      ['apps/api/migrations', 'apps/api/dist/migrations'],
    ].map(([from = '', to = '']) => compile(path.join(folder, from), path.join(folder, to))),
  );
  linkDependencies(folder);
  return { folder, programs: path.join(folder, 'apps/api/dist/src') };
}

async function compile(from: string, to: string): Promise<void> {
  const sources = readdirSync(from, { recursive: true })
    .map(String)
    .filter((name) => /(?<!\.spec|\.d)\.ts$/.test(name));
  for (const source of sources) {
    const { code } = await transformFile(path.join(from, source), {
      swcrc: false,
      jsc: {
        target: 'es2024',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
      },
      module: { type: 'es6' },
    });
    const file = path.join(to, source.replace(/\.ts$/, '.js'));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
}

/** Those of this build, but for the workspaces, which are of the other. */
function linkDependencies(folder: string): void {
  const [from, to] = [path.join(root, 'node_modules'), path.join(folder, 'node_modules')];
  mkdirSync(path.join(to, '@yiqiao'), { recursive: true });
  for (const name of readdirSync(from)) if (name !== '@yiqiao') symlinkSync(path.join(from, name), path.join(to, name));
  for (const name of ['domain', 'contracts'])
    symlinkSync(path.join(folder, 'packages', name), path.join(to, '@yiqiao', name));
  const own = path.join(root, 'apps/api/node_modules');
  if (existsSync(own)) symlinkSync(own, path.join(folder, 'apps/api/node_modules'));
}
