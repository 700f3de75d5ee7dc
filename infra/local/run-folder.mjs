// One run per DATA_DIR: its lock, what it started, and what a crashed run left behind.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Failure } from './failure.mjs';
import { endProcess, identityOf, isStillThere, sleep } from './processes.mjs';

const readJson = (file) => {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/** What the running start of this folder says of itself, or undefined when none runs. */
export function runningIn(dataDir) {
  const owner = readJson(path.join(dataDir, 'lock'));
  return isStillThere(owner) ? { owner, ...readJson(path.join(dataDir, 'state.json')) } : undefined;
}

/**
 * Takes the folder for this process, ends what a crashed run left, and answers the folder's keeper.
 * @throws Failure when another run holds it, or when it cannot be written
 */
export async function takeRunFolder(dataDir, say = () => {}) {
  const lock = path.join(dataDir, 'lock');
  const stateFile = path.join(dataDir, 'state.json');
  try {
    fs.mkdirSync(path.join(dataDir, 'logs'), { recursive: true });
    fs.accessSync(dataDir, fs.constants.W_OK);
  } catch (error) {
    throw new Failure(`${dataDir} cannot be written (${error.code})`, {
      ways: [
        'choose another folder with DATA_DIR=/some/where',
        `or give it to this user: chown -R "$(id -u)" ${dataDir}`,
      ],
    });
  }

  const me = identityOf(process.pid);
  for (;;) {
    try {
      fs.writeFileSync(lock, JSON.stringify(me), { flag: 'wx', mode: 0o600 });
      await sleep(30); // two runs that removed the same stale lock: the later one holds it
      if (readJson(lock)?.pid === me.pid) break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const running = runningIn(dataDir);
    if (running) {
      const where = running.urls?.api ? `at ${running.urls.api}` : `in ${dataDir}`;
      throw new Failure(`already running ${where}, process ${running.owner.pid}`, {
        ways: ['stop that one first (Ctrl-C)', 'or start a second one beside it with its own DATA_DIR and PORT'],
      });
    }
    fs.rmSync(lock, { force: true });
  }

  const left = (readJson(stateFile)?.parts ?? []).filter(isStillThere);
  if (left.length) say(`stopping what an interrupted run left: ${left.map((part) => part.name).join(', ')}`);
  const stop = (wanted) =>
    Promise.all(
      left.filter(wanted).map((part) => endProcess(part.pid, part.name === 'postgres' ? 'SIGINT' : 'SIGTERM')),
    );
  const isStore = (part) => ['postgres', 'redis'].includes(part.name);
  await stop((part) => !isStore(part));
  await stop(isStore);

  return {
    dataDir,
    log: (name) => path.join(dataDir, 'logs', `${name}.log`),
    /** Readable by this user alone: the URLs hold the passwords of the run's own databases. */
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

/** 32 random bytes in hex, made once and kept beside the data they protect. */
export function keptSecret(file) {
  const kept = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : '';
  if (/^[0-9a-f]{64}$/.test(kept)) return kept;
  const made = randomBytes(32).toString('hex');
  fs.writeFileSync(file, `${made}\n`, { mode: 0o600 });
  return made;
}
