import { defaultDocuments } from '@yiqiao/contracts/default-documents';
import { partitionEmptyLogs } from '../ledger/operator/partition-command.js';
import { migrate } from '../migrate.js';
import type { Config } from '../platform/config.js';
import type { INestApplicationContext } from '@nestjs/common';
import { Plans } from '../plans/plans.js';
import { Site } from '../site/site.js';
import { makeDemoHistory } from './demo-history/demo-history.js';
import { isFreshDatabase, withSetClock } from './demo-history/set-clock.js';
import { seedDemo } from './demo.js';
import { seedDemoOperators } from './operator-accounts.js';
import { withApp } from './operator-app.js';

export async function migrateOnly(config: Config): Promise<number> {
  await migrate(config.migrationUrl);
  await partitionEmptyLogs(config.migrationUrl, config.env.LEDGER_PARTS);
  return 0;
}

/** `demo`: with the demo accounts. `history`: they get a history, if the database has no members yet. */
export type SeedOptions = { demo: boolean; history: boolean };

/** Idempotent. With `demo`, the last line of the output is `{"demo":{"account","password"}}` (decisions §8). */
export async function seed(config: Config, { demo, history }: SeedOptions): Promise<number> {
  if (demo && config.production) throw new Error('Demo accounts never exist in production.');
  if (demo && history) await seedDemoHistory(config);
  await withApp(config, async (app) => {
    await seedProduct(app, config);
    if (demo) await seedDemoOperators(app, process.env['DEMO_OPERATORS']);
    if (demo) process.stdout.write(`${JSON.stringify({ demo: await seedDemo(app) })}\n`);
  });
  return 0;
}

async function seedProduct(app: INestApplicationContext, config: Config): Promise<void> {
  await app.get(Plans).seed();
  await app.get(Site).seed(defaultDocuments(config));
}

/** Refuses production, and does nothing on a database that has members. Returns whether it made the history. */
export async function seedDemoHistory(config: Config): Promise<boolean> {
  if (config.production) throw new Error('Demo accounts never exist in production.');
  if (!(await isFreshDatabase(config.migrationUrl))) return false;
  return withSetClock(config.migrationUrl, (clock) =>
    withApp(config, async (app) => {
      await seedProduct(app, config);
      return makeDemoHistory(app, clock);
    }),
  );
}

export async function prepare(config: Config, options: SeedOptions): Promise<number> {
  await migrateOnly(config);
  return seed(config, options);
}
