import { MikroORM, defineConfig } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import * as migrations from '../migrations/list.js';

/** By the names in the database's table of migrations. */
const migrationsList = Object.entries(migrations).map(([name, migration]) => ({ name, class: migration }));

/**
 * Migrates the database at `url`, which signs in as the owner of the schema, and creates it if it does not exist. `to`: only up to this
 * migration, for tests that start from an older release.
 */
export async function migrate(url: string, to?: string): Promise<void> {
  const orm = new MikroORM(
    defineConfig({
      clientUrl: url,
      entities: [],
      extensions: [Migrator],
      discovery: { warnWhenNoEntities: false },
      logger: () => undefined,
      migrations: { migrationsList, snapshot: false },
    }),
  );
  try {
    await orm.schema.ensureDatabase({ create: false });
    await orm.migrator.up(to === undefined ? undefined : { to });
    // Every process compares them with its own before it is ready. Raw: DDL.
    await orm.em.execute('GRANT SELECT (name) ON mikro_orm_migrations TO yiqiao_app');
    // Privileges on a database are not part of its dumps and copies. Raw: DDL.
    await orm.em.execute(`DO $$ BEGIN
      EXECUTE format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM yiqiao_app, PUBLIC', current_database());
    END $$`);
  } finally {
    await orm.close(true);
  }
}
