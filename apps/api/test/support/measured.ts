import { freePort } from '../../bench/child.js';
import { type TestApi, startApi } from './api.js';
import { type Exposition, scrape } from './exposition.js';
import { type ApiProcess, spawnApi, spawnOperators, spawnProgram } from './process.js';
import { waitUntil } from './wait-until.js';

type Name = 'api' | 'worker' | 'operators';

/** The product's three processes on the stores of a test, each with its figures. */
export type Measured = {
  /** For what a test does beside them; it shows no figures. */
  api: TestApi;
  url: string;
  scrape: (name: Name) => Promise<Exposition>;
  stopWorker: () => Promise<void>;
  startWorker: () => Promise<void>;
  stop: () => Promise<void>;
};

export async function startMeasured(extra: Record<string, string> = {}): Promise<Measured> {
  const port = String(await freePort());
  const api = await startApi({ PAY_NOTIFY_URL: `http://127.0.0.1:${port}`, ...extra });
  const ports = { api: await freePort(), worker: await freePort(), operators: await freePort() };
  const withPort = (name: Name): Record<string, string> => ({ METRICS_PORT: String(ports[name]) });
  const [server, operators] = await Promise.all([
    spawnApi(api.env, { ...withPort('api'), PORT: port }),
    spawnOperators(api.env, withPort('operators')),
  ]);
  let worker: Pick<ApiProcess, 'stop'> | undefined;
  const startWorker = async (): Promise<void> => {
    const workerPort = await freePort();
    worker = spawnProgram('worker', { ...api.env, ...withPort('worker'), WORKER_PORT: String(workerPort) });
    const isReady = () =>
      fetch(`http://127.0.0.1:${workerPort}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await waitUntil(isReady, Boolean);
  };
  await startWorker();
  return {
    api,
    url: server.url,
    scrape: (name) => scrape(ports[name]),
    startWorker,
    stopWorker: async () => {
      await worker?.stop();
    },
    stop: async () => {
      await Promise.all([server.stop(), operators.stop(), worker?.stop()]);
      await api.stop();
    },
  };
}
