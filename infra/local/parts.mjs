// A part is one process of the product that can be started, killed, started again and stopped.
import { Failure } from './failure.mjs';
import { endProcess, identityOf, isAlive } from './processes.mjs';

/**
 * @param {{name: string, launch: () => Promise<object>, stopSignal?: NodeJS.Signals, patience?: number}} how
 *   launch starts the process and resolves with its service when it answers; patience is ms before SIGKILL on stop.
 */
export function createPart({ name, launch, stopSignal = 'SIGTERM', patience = 10_000 }) {
  let service;
  let expected = true;
  let closed = false;
  let onEnded = () => {};
  let onLaunched = () => {};

  const part = {
    name,
    get pid() {
      return service?.pid;
    },
    identity: () => (service && isAlive(service.pid) ? { name, ...identityOf(service.pid) } : undefined),
    async start() {
      closed = false;
      // launch() tells of the process as soon as it exists, so that a failure while it comes up leaves nothing behind
      service = await launch((started) => {
        service = started;
        if (closed) {
          void endProcess(started.pid, stopSignal, patience);
          throw new Failure(`${name} was stopped while it started`);
        }
        onLaunched(part);
      });
      expected = false;
      const current = service;
      void current.ended.then((how) => {
        if (!expected && service === current) onEnded(part, how);
      });
    },
    /** Ends it at once, as a crash would. */
    async kill(signal = 'SIGKILL') {
      expected = true;
      await endProcess(service.pid, signal, 10_000);
      await service.ended;
    },
    async restart() {
      if (service && !service.end) await part.stop();
      await part.start();
    },
    async stop() {
      expected = true;
      closed = true;
      if (service && !service.end) await endProcess(service.pid, stopSignal, patience);
    },
    /** Called when the process ends though nobody here ended it. */
    whenEnded(listener) {
      onEnded = listener;
    },
    whenLaunched(listener) {
      onLaunched = listener;
    },
  };
  return part;
}
