// One run per DATA_DIR: its lock, its state, what a crashed run left behind, and an orderly end whatever happens.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { identityOf, isRunning, onShutdownSignal, sleep, stopTools, terminate } from './lifecycle.mjs';
import { dataDirOf, readJson } from './project.mjs';
import { createSteps, Failure, printFailure } from './terminal.mjs';

const stores = ['postgres', 'redis'];

/** Applications first, then the stores that they use. */
export async function stopInOrder(services, stop) {
  const isStore = ({ name }) => stores.includes(name);
  await Promise.all(services.filter((service) => !isStore(service)).map(stop));
  await Promise.all(services.filter(isStore).map(stop));
}

/** The state of the run that holds this folder, or undefined when there is none. */
export function runningIn(dataDir) {
  const owner = readJson(path.join(dataDir, 'lock'));
  return isRunning(owner) ? { owner, ...readJson(path.join(dataDir, 'state.json')) } : undefined;
}

/**
 * Locks the folder for this process and stops what a crashed run left.
 * @throws Failure when another run holds the folder, or when it cannot be written
 */
export async function acquireRunFolder(dataDir, log = () => {}) {
  const lock = path.join(dataDir, 'lock');
  const stateFile = path.join(dataDir, 'state.json');
  try {
    fs.mkdirSync(path.join(dataDir, 'logs'), { recursive: true });
    fs.accessSync(dataDir, fs.constants.W_OK);
  } catch (error) {
    throw new Failure(`${dataDir} cannot be written (${error.code})`, {
      hints: [
        'choose another folder with DATA_DIR=/some/where',
        `or give it to this user: chown -R "$(id -u)" ${dataDir}`,
      ],
    });
  }
  await takeLock(dataDir, lock);

  const orphans = (readJson(stateFile)?.services ?? []).filter(isRunning);
  if (orphans.length) log(`stopping what an interrupted run left: ${orphans.map(({ name }) => name).join(', ')}`);
  await stopInOrder(orphans, ({ name, pid }) => terminate(pid, name === 'postgres' ? 'SIGINT' : 'SIGTERM'));

  return {
    dataDir,
    logFile: (name) => path.join(dataDir, 'logs', `${name}.log`),
    /** Readable by this user alone: the URLs contain the passwords of the run's own stores. */
    save(state) {
      fs.writeFileSync(`${stateFile}.new`, JSON.stringify(state, null, 2), { mode: 0o600 });
      fs.renameSync(`${stateFile}.new`, stateFile);
    },
    release() {
      if (readJson(lock)?.pid !== process.pid) return;
      fs.rmSync(stateFile, { force: true });
      fs.rmSync(lock, { force: true });
    },
  };
}

async function takeLock(dataDir, lock) {
  const me = identityOf(process.pid);
  for (;;) {
    try {
      fs.writeFileSync(lock, JSON.stringify(me), { flag: 'wx', mode: 0o600 });
      await sleep(30); // two runs may remove the same stale lock: the one that wrote last holds it
      if (readJson(lock)?.pid === me.pid) return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const running = runningIn(dataDir);
    if (running) {
      const where = running.urls?.api ? `at ${running.urls.api}` : `in ${dataDir}`;
      throw new Failure(`already running ${where}, process ${running.owner.pid}`, {
        hints: ['stop that one first (Ctrl-C)', 'or start a second one beside it with its own DATA_DIR and PORT'],
      });
    }
    fs.rmSync(lock, { force: true });
  }
}

/**
 * The frame of npm test, bench, chaos, screenshots and operator: takes a run folder and cleans up at the end, also
 * after Ctrl-C.
 * @param {object} options
 * @param {string} options.title     names the command in an error
 * @param {string} options.dataDir   the run folder
 * @param {boolean} [options.quiet]  no list of steps
 * @param {(run: {folder: object, steps: object, toolsDir: string, register: Function, onEnd: Function}) => Promise<number>} work
 *   resolves with the exit code; services given to `register` are stopped at the end, functions given to `onEnd` called
 * @returns {Promise<number>} exit code
 */
export async function withRunFolder({ title, dataDir, quiet = false }, work) {
  const steps = createSteps({ quiet });
  const services = [];
  const cleanups = [];
  let folder;
  let ending;
  const end = () => {
    ending ??= (async () => {
      steps.end();
      stopTools();
      await Promise.all(cleanups.map((cleanup) => cleanup()));
      await Promise.all(services.map((service) => service.stop()));
      folder?.release();
    })();
    return ending;
  };
  onShutdownSignal(() => void end().then(() => process.exit(130)));

  const register = (service) => {
    services.push(service);
    service.onSpawn(() => folder.save({ services: services.map((each) => each.identity()).filter(Boolean) }));
  };
  let code = 1;
  try {
    folder = await acquireRunFolder(dataDir, steps.log);
    code = await work({ folder, steps, toolsDir: dataDirOf(), register, onEnd: (cleanup) => cleanups.push(cleanup) });
  } catch (error) {
    steps.end();
    if (!ending) printFailure(error, title);
  }
  await end();
  return code;
}

/** 32 random bytes in hex, generated once and kept beside the data that they protect. */
export function persistentSecret(file) {
  const kept = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : '';
  if (/^[0-9a-f]{64}$/.test(kept)) return kept;
  const made = randomBytes(32).toString('hex');
  fs.writeFileSync(file, `${made}\n`, { mode: 0o600 });
  return made;
}
