import { Migration } from '@mikro-orm/migrations';

/** What a line of the translation log counts; tries of a code by address; invite rewards that wait; the last name of a deleted sub-account. */
export class Migration0011Input extends Migration {
  override up(): void {
    for (const sql of [TRANSLATION_KINDS, CODE_TRIES, INVITE_HOLDS, LAST_NAMES]) this.addSql(sql);
  }
}

// Of lines that are there already: what was charged is known by its entry; a failed recording or picture remains a text of no characters.
const TRANSLATION_KINDS = `
ALTER TABLE translation_log
  ADD COLUMN kind smallint NOT NULL DEFAULT 1 CHECK (kind IN (1, 2, 3)),
  ADD COLUMN free smallint CHECK (free IN (1, 2));
COMMENT ON COLUMN translation_log.kind IS '1 text, 2 voice, 3 image, as in ledger_hold';
COMMENT ON COLUMN translation_log.free IS 'why a line without an entry cost nothing: 1 remembered, 2 word gloss; null when it failed';
UPDATE translation_log l SET kind = CASE WHEN e.voice_change <> 0 THEN 2 ELSE 3 END
FROM account_log e
WHERE l.word_count = 0 AND e.user_id = l.user_id AND e.seq = l.entry_seq AND (e.voice_change <> 0 OR e.image_change <> 0);
UPDATE translation_log SET free = CASE WHEN tran_channel_id = 1 THEN 2 ELSE 1 END WHERE entry_seq IS NULL AND status = 1;
`;

const CODE_TRIES = `
ALTER TABLE verification_code ADD COLUMN tries_from jsonb NOT NULL DEFAULT '{}';
COMMENT ON COLUMN verification_code.tries_from IS 'tries by address, under a keyed hash';
GRANT UPDATE (tries_from) ON verification_code TO yiqiao_app;
`;

const INVITE_HOLDS = `
CREATE TABLE invite_hold (
  user_id bigint PRIMARY KEY REFERENCES member (id),
  inviter_id bigint NOT NULL REFERENCES member (id),
  held_at timestamptz(3) NOT NULL,
  decision text CHECK (decision IN ('released', 'refused')),
  decided_at timestamptz(3),
  manager_id bigint REFERENCES manager (id),
  reason text,
  CHECK ((decision IS NULL) = (decided_at IS NULL) AND (decision IS NULL) = (manager_id IS NULL))
);
COMMENT ON TABLE invite_hold IS 'invited members whose reward waits for an operator, because their inviter had too many in a day';
CREATE INDEX invite_hold_open ON invite_hold (held_at) WHERE decision IS NULL;
GRANT SELECT, INSERT, UPDATE (decision, decided_at, manager_id, reason) ON invite_hold TO yiqiao_app;
`;

const LAST_NAMES = `
ALTER TABLE member ADD COLUMN last_name text CHECK (last_name IS NULL OR (parent_id IS NOT NULL AND closed_at IS NOT NULL));
COMMENT ON COLUMN member.last_name IS 'of a deleted sub-account, for its main account''s log, until that logs off';
GRANT UPDATE (last_name) ON member TO yiqiao_app;
`;
