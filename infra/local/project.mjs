// Where things are. Everything under infra/local is plain Node >= 20 without dependencies: it runs before node_modules exists.
import fs from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');
export const bin = path.join(root, 'node_modules/.bin');

/** The Node that the project pins for its own programs; npm and these scripts may run on an older one. */
export const pinnedNode = path.join(bin, 'node');

/** The folder that holds everything `npm start` keeps: databases, logs, secret, unpacked engines. */
export const dataDirOf = (env = process.env) => path.resolve(root, env.DATA_DIR || '.data');

export const isRoot = process.getuid?.() === 0;

/** First executable of these names on PATH, leaving the project's own node_modules aside. */
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
export const pathWithoutProject = () =>
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
  // the product's clock is APP_TIMEZONE; processes keep to a zone without summer time
  TZ: 'UTC',
});
