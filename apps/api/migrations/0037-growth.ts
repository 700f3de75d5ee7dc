import { Migration } from '@mikro-orm/migrations';

/** Jobs that read what changed instead of everything (docs/decisions/0068), and families that move between installations (0069). */
export class Migration0037Growth extends Migration {
  override up(): void {
    for (const sql of [READERS, CHECKS, MOVES]) this.addSql(sql);
  }
}

const READERS = `
CREATE TABLE ledger_reader (
  name text PRIMARY KEY,
  covered bigint,
  next bigint NOT NULL,
  next_xid bigint NOT NULL,
  seen_at timestamptz NOT NULL
);
COMMENT ON TABLE ledger_reader IS 'how far a job has come that works on the accounts with new entries';
COMMENT ON COLUMN ledger_reader.covered IS 'it has seen every entry up to this id of account_log; null: read every account';
COMMENT ON COLUMN ledger_reader.next IS 'the same, once every transaction below next_xid has ended';
REVOKE ALL ON ledger_reader FROM yiqiao_app, PUBLIC;
GRANT SELECT, INSERT (name, covered, next, next_xid, seen_at), UPDATE (covered, next, next_xid, seen_at) ON ledger_reader TO yiqiao_app;
`;

const CHECKS = `
ALTER TABLE member_reminder ADD COLUMN to_check boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN member_reminder.to_check IS 'its thresholds were changed: the next run looks at it, whether the account moved or not';
CREATE INDEX member_reminder_to_check ON member_reminder (user_id) WHERE to_check;
GRANT INSERT (to_check), UPDATE (to_check) ON member_reminder TO yiqiao_app;
`;

// Written by the owner of the schema alone, whose commands move families; a half in each of the two installations.
const MOVES = `
CREATE TABLE family_move (
  file uuid PRIMARY KEY,
  family_id bigint NOT NULL REFERENCES member (id),
  direction text NOT NULL CHECK (direction IN ('out', 'in')),
  state text NOT NULL,
  enabled boolean,
  began_at timestamptz(3) NOT NULL DEFAULT now(),
  ended_at timestamptz(3),
  CHECK (CASE direction WHEN 'out' THEN state IN ('exported', 'moved', 'kept') ELSE state IN ('received', 'open') END)
);
CREATE UNIQUE INDEX family_move_away ON family_move (family_id) WHERE state IN ('exported', 'moved');
COMMENT ON COLUMN family_move.enabled IS 'whether its main account may sign in once it is open here';
REVOKE ALL ON family_move FROM yiqiao_app, PUBLIC;
GRANT SELECT ON family_move TO yiqiao_operator;
`;
