import { freePort } from '../../bench/child.js';
import { type Environment, type TestApi, startApi } from './api.js';
import { type Exposition, scrape, valueOf } from './exposition.js';
import { type ApiProcess, spawnApi, spawnOperators, spawnProgram } from './process.js';
import { waitUntil } from './wait-until.js';

type Name = 'api' | 'worker' | 'operators';

type Shown = Record<Name, Exposition | null>;

/** The product's three processes on the stores of a test, each with its figures. */
export type Measured = {
  /** For what a test does beside them; it shows no figures. */
  api: TestApi;
  url: string;
  scrape: (name: Name) => Promise<Exposition>;
  /** All three; null for one that does not answer. */
  moment: () => Promise<Shown>;
  /** When the worker shows this. It reads the state of the stores every fourteen seconds. */
  whenWorker: (name: string, shows: (value: number) => boolean, labels?: Record<string, string>) => Promise<Shown>;
  stopApi: () => Promise<void>;
  stopWorker: () => Promise<void>;
  startWorker: (extra?: Record<string, string>) => Promise<void>;
  workerLog: () => string;
  stop: () => Promise<void>;
};

/** `standby`: where the hot standby of the test's server has a database. */
export async function startMeasured(
  extra: Environment = {},
  standby: (databaseUrl: string) => Environment = () => ({}),
): Promise<Measured> {
  const port = String(await freePort());
  const api = await startApi((url) => ({
    PAY_NOTIFY_URL: `http://127.0.0.1:${port}`,
    ...extra,
    ...standby(url),
  }));
  const ports = { api: await freePort(), worker: await freePort(), operators: await freePort() };
  const withPort = (name: Name): Record<string, string> => ({ METRICS_PORT: String(ports[name]) });
  const [server, operators] = await Promise.all([
    spawnApi(api.env, { ...withPort('api'), PORT: port }),
    spawnOperators(api.env, withPort('operators')),
  ]);
  let worker: Pick<ApiProcess, 'stop' | 'log'> | undefined;
  const startWorker = async (own: Record<string, string> = {}): Promise<void> => {
    const workerPort = await freePort();
    worker = spawnProgram('worker', { ...api.env, ...withPort('worker'), WORKER_PORT: String(workerPort), ...own });
    const isReady = () =>
      fetch(`http://127.0.0.1:${workerPort}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await waitUntil(isReady, Boolean);
  };
  await startWorker();
  const shown = (name: Name): Promise<Exposition | null> => scrape(ports[name]).catch(() => null);
  const moment = async (): Promise<Shown> => ({
    api: await shown('api'),
    worker: await shown('worker'),
    operators: await shown('operators'),
  });
  return {
    api,
    url: server.url,
    scrape: (name) => scrape(ports[name]),
    moment,
    whenWorker: (name, shows, labels) =>
      waitUntil(moment, ({ worker: its }) => its !== null && shows(valueOf(its, name, labels))),
    stopApi: server.stop,
    startWorker,
    workerLog: () => worker?.log() ?? '',
    stopWorker: async () => {
      await worker?.stop();
    },
    stop: async () => {
      await Promise.all([server.stop(), operators.stop(), worker?.stop()]);
      await api.stop();
    },
  };
}
