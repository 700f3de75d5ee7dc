// pgbench, the yardstick of the benchmark: the system's, else Debian's unpacked under DATA_DIR.
import fs from 'node:fs';
import path from 'node:path';
import { hasDebianTools, unpackPackages, unpackedEnv } from './debian.mjs';
import { onPath } from './project.mjs';

const versions = (folder) =>
  fs.existsSync(folder) ? fs.readdirSync(folder).sort((a, b) => Number(b) - Number(a)) : [];

/** The program itself, not Debian's Perl wrapper of the same name on PATH. */
const below = (prefix) => {
  const folder = path.join(prefix, 'usr/lib/postgresql');
  return versions(folder)
    .map((version) => path.join(folder, version, 'bin/pgbench'))
    .find((file) => fs.existsSync(file));
};

/** @returns {Promise<string>} path of a program to run, or '' when there is none and none can be had */
export async function providePgbench(toolsDir) {
  const found = process.env.PGBENCH || below('/') || onPath('pgbench');
  if (found) return found;
  const dir = path.join(toolsDir, 'pgbench-bin');
  const wrapper = path.join(dir, 'pgbench');
  if (!fs.existsSync(wrapper) && hasDebianTools()) {
    await unpackPackages({ packages: ['postgresql-contrib'], dir, finish: (work) => wrap(work, dir) }).catch(
      () => undefined,
    );
  }
  return fs.existsSync(wrapper) ? wrapper : '';
}

function wrap(work, dir) {
  const program = below(work)?.replace(work, dir);
  if (!program) throw new Error('the package brought no pgbench');
  const text = `#!/bin/sh\nLD_LIBRARY_PATH='${unpackedEnv(dir).LD_LIBRARY_PATH}' exec '${program}' "$@"\n`;
  fs.writeFileSync(path.join(work, 'pgbench'), text, { mode: 0o755 });
}
