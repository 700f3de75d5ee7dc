import { Migration } from '@mikro-orm/migrations';

/** What would have been charged under other prices: runs with their progress and result (operators §8). */
export class Migration0032WhatIfs extends Migration {
  override up(): void {
    for (const sql of [RUNS, GRANTS]) this.addSql(sql);
  }
}

// `kept` is what a run goes on from; `runner` changes with each process that takes the run over.
const RUNS = `
CREATE TABLE what_if (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  from_at timestamptz(3) NOT NULL,
  to_at timestamptz(3) NOT NULL CHECK (to_at >= from_at),
  changes jsonb NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'unsound', 'cancelled', 'failed')),
  started_by text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  active_ms bigint NOT NULL DEFAULT 0,
  runner uuid,
  entries bigint NOT NULL DEFAULT 0,
  entries_total bigint NOT NULL DEFAULT 0,
  families bigint NOT NULL DEFAULT 0,
  families_total bigint NOT NULL DEFAULT 0,
  kept jsonb,
  baseline jsonb,
  result jsonb,
  CHECK ((state IN ('waiting', 'running')) = (finished_at IS NULL)),
  CHECK ((state IN ('done', 'unsound')) = (baseline IS NOT NULL)),
  CHECK ((state = 'done') = (result IS NOT NULL))
);
CREATE INDEX what_if_open ON what_if (id) WHERE finished_at IS NULL;
COMMENT ON COLUMN what_if.changes IS 'prices of channels and of plans, by their ids';
COMMENT ON COLUMN what_if.kept IS 'the families replayed so far and what they add up to';
`;

const GRANTS = `
REVOKE ALL ON what_if FROM yiqiao_app, PUBLIC;
GRANT SELECT, INSERT (from_at, to_at, changes, started_by),
  UPDATE (state, started_at, finished_at, active_ms, runner, entries, entries_total, families, families_total, kept, baseline, result)
  ON what_if TO yiqiao_operator;
`;
