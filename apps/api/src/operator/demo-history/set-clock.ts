import pg from 'pg';

/**
 * A clock that is set by hand, for the database and for the application: a history made under it is dated by it, by the ordinary commands.
 * Only for a database in development that nobody else uses.
 */
export class SetClock {
  constructor(
    private readonly owner: pg.Client,
    public at: Date,
  ) {}

  async moveTo(at: Date): Promise<void> {
    await this.owner.query('UPDATE set_clock.moment SET at = $1', [at]);
    this.at = at;
  }
}

/** The payments of the sandbox at this address are dated by `at`; null: by the time of day. */
export async function setSandboxClock(sandbox: string, at: Date | null): Promise<void> {
  await fetch(`${sandbox}/payments/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ at: at && at.getTime() }),
    signal: AbortSignal.timeout(5_000),
  });
}

/** Runs `work` while the database at `url`, whose owner signs in by it, takes its time from the clock. Connections must be opened inside. */
export async function withSetClock<T>(url: string, work: (clock: SetClock) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    await owner.query(REMOVE);
    await owner.query(INSTALL);
    return await work(new SetClock(owner, new Date()));
  } finally {
    await owner.query(REMOVE);
    await owner.end();
  }
}

/** Whether the database has no members. Removes the clock that an interrupted run has left. */
export async function isFreshDatabase(url: string): Promise<boolean> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    await owner.query(REMOVE);
    const { rows } = await owner.query<{ fresh: boolean }>('SELECT NOT EXISTS (SELECT FROM public.member) AS fresh');
    return rows[0]?.fresh ?? false;
  } finally {
    await owner.end();
  }
}

/** `from` and `to` as the catalog prints them while only `public` is searched. */
const defaults = (name: string, [from, to]: [string, string]): string => `
FOR col IN SELECT d.adrelid::regclass AS tab, a.attname AS name FROM pg_attrdef d
  JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
  JOIN pg_class c ON c.oid = d.adrelid AND c.relnamespace = 'public'::regnamespace
  WHERE pg_get_expr(d.adbin, d.adrelid) = '${from}${name}()'
LOOP
  EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT ${to}${name}()', col.tab, col.name);
END LOOP;`;

const alterDefaults = (from: string, to: string): string => `
DO $$ DECLARE col record; BEGIN
${defaults('now', [from, to])}
${defaults('clock_timestamp', [from, to])}
END $$`;

/** The names are found before those of pg_catalog: by statements through the search path, by column defaults through their own change. */
const INSTALL = `
BEGIN;
SET LOCAL search_path = public;
CREATE SCHEMA set_clock;
CREATE TABLE set_clock.moment (at timestamptz NOT NULL);
INSERT INTO set_clock.moment VALUES (clock_timestamp());
CREATE FUNCTION set_clock.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT at FROM set_clock.moment';
CREATE FUNCTION set_clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS 'SELECT at FROM set_clock.moment';
GRANT USAGE ON SCHEMA set_clock TO PUBLIC;
GRANT SELECT ON set_clock.moment TO PUBLIC;
${alterDefaults('', 'set_clock.')};
DO $$ BEGIN
  EXECUTE format('ALTER DATABASE %I SET search_path = set_clock, pg_catalog, public', current_database());
  EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database());
END $$;
COMMIT`;

const REMOVE = `
BEGIN;
SET LOCAL search_path = public;
${alterDefaults('set_clock.', '')};
DROP SCHEMA IF EXISTS set_clock CASCADE;
DO $$ BEGIN
  EXECUTE format('ALTER DATABASE %I RESET search_path', current_database());
  EXECUTE format('ALTER DATABASE %I RESET synchronous_commit', current_database());
END $$;
COMMIT`;
