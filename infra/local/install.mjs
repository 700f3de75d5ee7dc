// Dependencies: `npm ci` when, and only when, what is installed is not what the lock file says.
import fs from 'node:fs';
import path from 'node:path';
import { Failure } from './failure.mjs';
import { runTool } from './processes.mjs';
import { onPath, pathWithoutProject, pinnedNode, root } from './project.mjs';

const readJson = (file) => {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/** npm writes node_modules/.package-lock.json last, so an interrupted installation is noticed too. */
export function isInstalled() {
  const wanted = readJson(path.join(root, 'package-lock.json'))?.packages;
  const have = readJson(path.join(root, 'node_modules/.package-lock.json'))?.packages;
  if (!wanted || !have) return false;
  return Object.entries(wanted).every(([place, { version, link, optional, devOptional }]) => {
    if (!place.includes('node_modules/')) return true;
    if (link) return fs.existsSync(path.join(root, place));
    if (!have[place]) return Boolean(optional || devOptional);
    return have[place].version === version && fs.existsSync(path.join(root, place));
  });
}

/** @returns {Promise<string>} what was done */
export async function installDependencies(dataDir) {
  if (isInstalled() && fs.existsSync(pinnedNode)) return 'as installed';
  const npm = process.env.npm_execpath?.endsWith('npm-cli.js') ? process.env.npm_execpath : undefined;
  if (!npm && !onPath('npm')) throw new Failure('npm is not on PATH', { ways: ['install Node >= 20 with npm'] });
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const env = { ...process.env, PATH: pathWithoutProject(), NODE_ENV: 'development', ...writableCache(dataDir) };
  const { code, output } = await runTool('npm', args, { cwd: root, env });
  if (code !== 0) {
    throw new Failure(`npm ci ended with ${code}`, {
      detail: output.split('\n').slice(-25).join('\n'),
      ways: [
        'look at the lines above: no network, a full disk and a proxy are the usual causes',
        'then run the command again',
      ],
    });
  }
  if (!fs.existsSync(pinnedNode)) {
    throw new Failure(`no packaged Node 24 for ${process.platform} ${process.arch}`, {
      ways: ['run on Linux (x64 or arm64), or in a Linux container'],
    });
  }
  return 'npm ci';
}

/** Service users have a home that does not exist or is not theirs: npm's cache then goes below DATA_DIR. */
export function writableCache(dataDir) {
  try {
    fs.accessSync(process.env.HOME ?? '/nonexistent', fs.constants.W_OK);
    return {};
  } catch {
    return { npm_config_cache: path.join(dataDir, 'npm-cache') };
  }
}
