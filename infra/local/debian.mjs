// Debian and Ubuntu packages, unpacked into a folder: needs no root and no dpkg lock, and installs nothing on the system.
import fs from 'node:fs';
import path from 'node:path';
import { runTool } from './lifecycle.mjs';
import { onPath } from './project.mjs';

const triplet = { x64: 'x86_64-linux-gnu', arm64: 'aarch64-linux-gnu' }[process.arch] ?? '';
const quiet = ['-o', 'Debug::NoLocking=1', '-o', 'APT::Sandbox::User=root'];
const network = ['-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::https::Timeout=20', '-o', 'Acquire::Retries=1'];

export const hasDebianTools = () => Boolean(onPath('apt-get') && onPath('dpkg-deb'));

/** Some packages keep libraries in folders that only their installation scripts would register. */
const libraryFolders = (dir) => [
  ...['usr/lib', 'lib'].map((lib) => path.join(dir, lib, triplet)),
  ...['blas', 'lapack', 'pulseaudio'].map((own) => path.join(dir, 'usr/lib', triplet, own)),
];

/** Environment in which the programs of an unpacked tree find each other and their libraries. */
export const unpackedEnv = (dir) => ({
  ...process.env,
  PATH: [path.join(dir, 'usr/bin'), path.join(dir, 'bin'), process.env.PATH ?? '/usr/bin:/bin'].join(path.delimiter),
  LD_LIBRARY_PATH: libraryFolders(dir).join(path.delimiter),
});

/**
 * Downloads `packages` with those dependencies that this system lacks, and unpacks them into `dir`.
 * `finish(unpacked)` may adapt or reject (by throwing) the tree before it moves to its final place.
 * @throws Error with the tool's output
 */
export async function unpackPackages({ packages, dir, finish = () => {} }) {
  const work = `${dir}.${process.pid}.new`;
  fs.rmSync(work, { recursive: true, force: true });
  fs.mkdirSync(work, { recursive: true });
  try {
    await download(packages, work, path.join(path.dirname(dir), 'apt'));
    const archives = fs.readdirSync(work).filter((name) => name.endsWith('.deb'));
    for (const archive of archives) {
      const { code, output } = await runTool('dpkg-deb', ['-x', archive, '.'], { cwd: work });
      if (code !== 0) throw new Error(output);
      fs.rmSync(path.join(work, archive));
    }
    await finish(work);
    fs.rmSync(dir, { recursive: true, force: true });
    fs.renameSync(work, dir);
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Unpacks `name` as a later release of Debian has it, over what is in `into`, without its dependencies. From the system's own mirror; `own` keeps
 * the lists.
 * @param {{name: string, suite: string, into: string, own: string}} options
 * @throws Error with the tool's output
 */
export async function unpackFromSuite({ name, suite, into, own }) {
  const run = async (command, args, cwd) => {
    const { code, output } = await runTool(command, args, { cwd });
    if (code !== 0) throw new Error(output);
    return output;
  };
  const targets = await run('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages']);
  const mirror = targets.split('\n').find((uri) => /\/debian\/?$/.test(uri));
  if (!mirror) throw new Error(`no mirror of Debian to fetch ${name} of ${suite} from`);
  const folders = ['lists/partial', 'cache/archives/partial', 'archive'].map((folder) => path.join(own, folder));
  for (const folder of folders) fs.mkdirSync(folder, { recursive: true });
  const sources = path.join(own, 'sources.list');
  const signed = '[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]';
  fs.writeFileSync(sources, `deb ${signed} ${mirror} ${suite} main\n`);
  const places = [`Etc::sourcelist=${sources}`, 'Etc::sourceparts=/dev/null', `State::lists=${own}/lists`];
  const options = [...places, `Cache=${own}/cache`].flatMap((place) => ['-o', `Dir::${place}`]);
  const archive = path.join(own, 'archive');
  await run('apt-get', ['update', '-qq', ...quiet, ...network, ...options]);
  await run('apt-get', [...quiet, ...network, ...options, 'download', name], archive);
  for (const file of fs.readdirSync(archive)) await run('dpkg-deb', ['-x', file, into], archive);
  fs.rmSync(archive, { recursive: true });
}

/** First with the system's package lists; if they are missing or out of date, with fresh private ones. */
async function download(packages, into, own) {
  const first = await attempt(packages, into, []);
  if (first === undefined) return;
  for (const folder of ['lists/partial', 'cache/archives/partial'])
    fs.mkdirSync(path.join(own, folder), { recursive: true });
  const options = ['-o', `Dir::State::lists=${own}/lists`, '-o', `Dir::Cache=${own}/cache`];
  const update = await runTool('apt-get', ['update', '-qq', ...quiet, ...network, ...options], {});
  const second = await attempt(packages, into, options);
  if (second !== undefined) throw new Error([update.output, second].join('\n').trim());
}

/** @returns {Promise<string | undefined>} undefined on success, else the tools' output */
async function attempt(packages, into, options) {
  const plan = await runTool(
    'apt-get',
    ['-s', ...quiet, ...options, 'install', '--no-install-recommends', ...packages],
    {},
  );
  if (plan.code !== 0) return plan.output;
  // "Inst name [installed] (new …)": an older version that is installed is good enough
  const missing = [...plan.output.matchAll(/^Inst (\S+) \(/gm)]
    .map((match) => match[1])
    .filter((name) => !name.endsWith('-dev'));
  if (!missing.length) return `nothing to fetch for ${packages.join(' ')}: installed, yet not found on PATH`;
  const got = await runTool('apt-get', [...quiet, ...network, ...options, 'download', ...missing], { cwd: into });
  return got.code === 0 ? undefined : got.output;
}
