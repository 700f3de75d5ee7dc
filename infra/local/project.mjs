// The project on this machine: paths, environment, dependencies, build. Everything under infra/local is plain Node >= 20
// without dependencies: it runs before node_modules exists.
import fs from 'node:fs';
import path from 'node:path';
import { runTool } from './lifecycle.mjs';
import { Failure } from './terminal.mjs';

export const root = path.resolve(import.meta.dirname, '../..');
export const bin = path.join(root, 'node_modules/.bin');

/** The Node version that the project pins for its own programs; npm and these scripts may run on an older one. */
export const pinnedNode = path.join(bin, 'node');

/** The folder with everything that `npm start` keeps: databases, logs, secret, unpacked engines. */
export const dataDirOf = (env = process.env) => path.resolve(root, env.DATA_DIR || '.data');

export const isRoot = process.getuid?.() === 0;

/** The parsed file, or undefined when it is missing or broken. */
export function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** First executable of these names on PATH, except in the project's own node_modules. */
export function onPath(...names) {
  for (const name of names) {
    for (const dir of pathWithoutProject().split(path.delimiter)) {
      const file = path.join(dir, name);
      try {
        fs.accessSync(file, fs.constants.X_OK);
        if (fs.statSync(file).isFile()) return file;
      } catch {
        // not in this folder
      }
    }
  }
  return undefined;
}

/** npm puts node_modules/.bin first on PATH; `npm ci` must not run on a Node that it is about to replace. */
const pathWithoutProject = () =>
  (process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin')
    .split(path.delimiter)
    .filter((dir) => dir && !dir.endsWith(`node_modules${path.sep}.bin`) && !dir.includes('node-gyp-bin'))
    .join(path.delimiter);

/** Environment of the project's own programs and tools. */
export const projectEnv = () => ({
  ...process.env,
  PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}`,
  TURBO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
  // the product's clock is APP_TIMEZONE; processes run in a zone without summer time
  TZ: 'UTC',
});

/** Environment of npm. Service users may have no writable home: the cache then goes below DATA_DIR. */
export function npmEnv(dataDir) {
  const env = { ...process.env, PATH: pathWithoutProject() };
  try {
    fs.accessSync(process.env.HOME ?? '/nonexistent', fs.constants.W_OK);
  } catch {
    env.npm_config_cache = path.join(dataDir, 'npm-cache');
  }
  return env;
}

/** npm writes node_modules/.package-lock.json last, so an interrupted installation is noticed too. */
function isInstalled() {
  const wanted = readJson(path.join(root, 'package-lock.json'))?.packages;
  const installed = readJson(path.join(root, 'node_modules/.package-lock.json'))?.packages;
  if (!wanted || !installed) return false;
  return Object.entries(wanted).every(([place, { version, link, optional, devOptional }]) => {
    if (!place.includes('node_modules/')) return true;
    if (link) return fs.existsSync(path.join(root, place));
    if (!installed[place]) return Boolean(optional || devOptional);
    return installed[place].version === version && fs.existsSync(path.join(root, place));
  });
}

/**
 * Runs `npm ci` only if what is installed differs from the lock file.
 * @returns {Promise<string>} what was done
 */
export async function installDependencies(dataDir) {
  if (isInstalled() && fs.existsSync(pinnedNode)) return 'as installed';
  const npm = process.env.npm_execpath?.endsWith('npm-cli.js') ? process.env.npm_execpath : undefined;
  if (!npm && !onPath('npm')) throw new Failure('npm is not on PATH', { hints: ['install Node >= 20 with npm'] });
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const env = { ...npmEnv(dataDir), NODE_ENV: 'development' };
  const { code, output } = await runTool('npm', args, { cwd: root, env });
  if (code !== 0) {
    throw new Failure(`npm ci ended with ${code}`, {
      detail: output.split('\n').slice(-25).join('\n'),
      hints: [
        'look at the lines above: no network, a full disk and a proxy are the usual causes',
        'then run the command again',
      ],
    });
  }
  if (!fs.existsSync(pinnedNode)) {
    throw new Failure(`no packaged Node 24 for ${process.platform} ${process.arch}`, {
      hints: ['run on Linux (x64 or arm64), or in a Linux container'],
    });
  }
  return 'npm ci';
}

/** Turbo compares contents and restores unchanged workspaces from its cache. */
export async function build() {
  const turbo = path.join(root, 'node_modules/turbo/bin/turbo');
  const args = [turbo, 'run', 'build', '--output-logs=errors-only'];
  const { code, output } = await runTool(pinnedNode, args, { cwd: root, env: projectEnv() });
  if (code !== 0) {
    const lines = output.split('\n').filter((line) => line.trim() && !/^\s+•|npm error|:build: $/.test(line));
    throw new Failure(`the build ended with ${code}`, { detail: lines.slice(-40).join('\n') });
  }
  return /FULL TURBO/.test(output) ? 'unchanged' : '';
}
