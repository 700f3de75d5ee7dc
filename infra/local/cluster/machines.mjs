// The machines of the cluster. As root each is a network namespace on one bridge, which can be cut off; else it is a loopback
// address, and everything but cutting off can be tried.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import { createService, spawnDaemon, waitUntilReady } from '../lifecycle.mjs';
import { isRoot, onPath } from '../project.mjs';
import { Failure } from '../terminal.mjs';

const FIRST_HOST = 11;

/**
 * @param {{dataDir: string, folder: object, loopback?: boolean}} options folder: the run folder, for logs; loopback: no namespaces, even as root
 * @returns {object} `isolated`: machines are namespaces; `cidr`; `add(name)`; `remove()`: every machine and what runs in it
 */
export function createNetwork({ dataDir, folder, loopback = false }) {
  const hash = createHash('sha256').update(dataDir).digest();
  const tag = hash.toString('hex', 0, 3);
  const isolated = !loopback && isRoot && Boolean(onPath('ip')) && canNamespace(tag);
  const subnet = isolated ? `10.${200 + (hash[3] % 50)}.${hash[4]}` : `127.${200 + (hash[3] % 50)}.${hash[4]}`;
  const bridge = `yq${tag}`;
  let count = 0;
  if (isolated) {
    removeNamespaces(tag, bridge);
    ip('link', 'add', bridge, 'type', 'bridge');
    ip('addr', 'add', `${subnet}.1/24`, 'dev', bridge);
    ip('link', 'set', bridge, 'up');
  }

  return {
    isolated,
    cidr: isolated ? `${subnet}.0/24` : '127.0.0.0/8',
    add(name) {
      const number = FIRST_HOST + count++;
      const address = `${subnet}.${number}`;
      if (!isolated) return machineAt({ name, address, folder });
      const namespace = `yq-${tag}-${name}`;
      const cable = `yq${tag}-${number}`;
      ip('netns', 'add', namespace);
      ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
      ip('link', 'set', cable, 'master', bridge, 'up');
      ip('-n', namespace, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
      for (const device of ['lo', 'eth0']) ip('-n', namespace, 'link', 'set', device, 'up');
      return machineAt({ name, address, folder, namespace, cable, bridge });
    },
    remove: () => (isolated ? removeNamespaces(tag, bridge) : undefined),
  };
}

function machineAt({ name, address, folder, namespace, cable, bridge }) {
  const machine = {
    name,
    address,
    /** Nothing comes in or goes out any more; nobody is told. */
    cutOff: () => ip('link', 'set', cable, 'nomaster'),
    reconnect: () => ip('link', 'set', cable, 'master', bridge),
    /**
     * A process on this machine.
     * @param {object} options as for spawnDaemon; `program()`: its command, arguments and environment at each start
     * @param {() => Promise<boolean>} options.isReady
     */
    service({ name: process = name, program, credentials = {}, isReady, timeout = 60_000, ...options }) {
      const launch = async (onSpawn) => {
        const { command, args, env, cwd = '/' } = program();
        const daemon = spawnDaemon({
          name: process,
          ...inside(namespace, credentials, command, args),
          env,
          cwd,
          logFile: folder.logFile(process),
        });
        onSpawn(daemon);
        await waitUntilReady(daemon, isReady, timeout);
        return daemon;
      };
      return createService({ name: process, launch, ...options });
    },
  };
  return machine;
}

/**
 * `ip netns exec`, `nice` and `setpriv` become the program: the process that is started is the one that is signalled. It has the usual priority,
 * whatever ours is.
 */
function inside(namespace, { uid, gid }, command, args) {
  if (!namespace) return { command, args, uid, gid };
  const user = uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  const usual = ['nice', '-n', String(-os.getPriority())];
  return { command: 'ip', args: ['netns', 'exec', namespace, ...usual, ...user, command, ...args] };
}

/** Root in a container may not be allowed to. */
function canNamespace(tag) {
  const name = `yq-${tag}-try`;
  const made = spawnSync('ip', ['netns', 'add', name]).status === 0;
  const entered = made && spawnSync('ip', ['netns', 'exec', name, 'true']).status === 0;
  spawnSync('ip', ['netns', 'delete', name]);
  return entered;
}

function removeNamespaces(tag, bridge) {
  for (const [name] of ip('netns', 'list').matchAll(new RegExp(`^yq-${tag}-\\S+`, 'gm'))) {
    const pids = ip('netns', 'pids', name).split('\n').filter(Boolean);
    signalAll(pids.map(Number), 'SIGKILL');
    ip('netns', 'delete', name);
  }
  if (fs.existsSync(`/sys/class/net/${bridge}`)) ip('link', 'delete', bridge);
}

function ip(...args) {
  const { status, stdout, stderr } = spawnSync('ip', args, { encoding: 'utf8' });
  if (status !== 0) throw new Failure(`ip ${args.join(' ')} ended with ${status}`, { detail: stderr });
  return stdout;
}

/** Sends `signal` to each; one that has ended in the meantime is left out. */
export function signalAll(pids, signal) {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
}

/** These processes and all that they have started. */
export function familyOf(pids) {
  const children = new Map();
  for (const name of fs.readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const parent = parentOf(name);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = [...pids];
  for (const pid of found) found.push(...(children.get(pid) ?? []));
  return found;
}

function parentOf(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}
