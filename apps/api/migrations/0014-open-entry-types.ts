import { Migration } from '@mikro-orm/migrations';

/** A new type of entry is a row of ENTRY_TYPES with its rule, and no migration (docs/decisions/0024). */
export class Migration0014OpenEntryTypes extends Migration {
  override up(): void {
    for (const sql of [TYPES, ORDINALS, INDEX]) this.addSql(sql);
  }
}

// Which codes exist is known where they are written and where they are proven: the writer takes types of ENTRY_TYPES alone, and the audit
// names every other code. The table asks for what makes it a type at all: its ordinals are counted at this place of type_seqs.
const TYPES = `
ALTER TABLE account_log DROP CONSTRAINT account_log_log_type_check, ADD CHECK (log_type > 0);
`;

// Arrays from before keep their ten numbers.
const ORDINALS = `
ALTER TABLE member_account ALTER COLUMN type_seqs SET DEFAULT '{}';
COMMENT ON COLUMN member_account.type_seqs IS 'how many entries of each type, at the place of its code; the types behind its end have none';
`;

// What the audit confirms elsewhere is found by it: all but recharges, consumption and gifts, so that a new type is among them.
const INDEX = `
DROP INDEX account_log_moved;
CREATE INDEX account_log_moved ON account_log (user_id, seq) WHERE log_type NOT IN (1, 7, 8, 9, 10);
`;
