/** No code reads through the global entity manager: its identity map would keep every row for the lifetime of the process. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import type { INestApplicationContext } from '@nestjs/common';
import { MemberGroup } from '../src/plans/member-group.entity.js';
import { withApp } from '../src/operator/operator-app.js';
import { loadConfig } from '../src/platform/config.js';
import { startApi, type TestApi } from './support/api.js';
import { startWorker } from './support/worker.js';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

type Inside = (work: (app: INestApplicationContext) => Promise<void>) => Promise<void>;

const programs: Record<string, Inside> = {
  http: (work) => work(api.app),
  worker: async (work) => {
    const worker = await startWorker(api.env);
    await work(worker.app).finally(worker.stop);
  },
  operator: (work) => withApp(loadConfig(api.env), work),
};

it.each(Object.entries(programs))('%s: a forgotten fork fails', (_, inside) =>
  inside(async (app) => {
    const shared = app.get(EntityManager);
    await expect(shared.findAll(MemberGroup)).rejects.toThrow('global EntityManager');
    expect(await shared.fork().findAll(MemberGroup)).not.toEqual([]);
  }),
);
