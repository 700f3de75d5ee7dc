import { defaultDocuments } from '@yiqiao/contracts/default-documents';
import { migrate } from '../migrate.js';
import type { Config } from '../platform/config.js';
import { Plans } from '../plans/plans.js';
import { Site } from '../site/site.js';
import { seedDemo } from './demo.js';
import { withApp } from './operator-app.js';

export async function migrateOnly(config: Config): Promise<number> {
  await migrate(config.migrationUrl);
  return 0;
}

/** Idempotent. With `demo`, the last line of the output is `{"demo":{"account","password"}}` (decisions §8). */
export async function seed(config: Config, demo: boolean): Promise<number> {
  if (demo && config.production) throw new Error('Demo accounts never exist in production.');
  await withApp(config, async (app) => {
    await app.get(Plans).seed();
    await app.get(Site).seed(defaultDocuments(config));
    if (demo) process.stdout.write(`${JSON.stringify({ demo: await seedDemo(app) })}\n`);
  });
  return 0;
}

export async function prepare(config: Config, demo: boolean): Promise<number> {
  await migrate(config.migrationUrl);
  return seed(config, demo);
}
