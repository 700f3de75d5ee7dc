// Reads from the database after the application of the built product was closed, as a refresh of a cache does that was due then.
import 'reflect-metadata';
import { EntityManager } from '@mikro-orm/postgresql';
import { withApp } from '../../dist/src/operator/operator-app.js';
import { loadConfig } from '../../dist/src/platform/config.js';

const em = await withApp(loadConfig(process.env), (app) => Promise.resolve(app.get(EntityManager).fork()));
await em.execute('SELECT 1');
process.stdout.write('read\n');
