import { Migration } from '@mikro-orm/migrations';

/** The trial balance by day, and the signed daily closes with their leaves and witnesses (operators §7; docs/decisions/0055). */
export class Migration0023Closes extends Migration {
  override up(): void {
    for (const sql of [DAYS, CLOSES, GUARD, GRANTS]) this.addSql(sql);
  }
}

// A roll-up of the ledger, counted like usage_day: one number per account says how far it has come.
const DAYS = `
CREATE TABLE ledger_day (
  day date NOT NULL,
  line text NOT NULL,
  entries bigint NOT NULL,
  char_num bigint NOT NULL,
  voice_num bigint NOT NULL,
  image_num bigint NOT NULL,
  amount bigint NOT NULL,
  PRIMARY KEY (day, line)
);
COMMENT ON TABLE ledger_day IS 'the changes of a day by line of the trial balance';
COMMENT ON COLUMN ledger_day.day IS 'in APP_TIMEZONE';
CREATE TABLE ledger_day_mark (
  user_id bigint PRIMARY KEY,
  rolled_seq bigint NOT NULL
);
`;

const CLOSES = `
CREATE TABLE ledger_close (
  n bigint PRIMARY KEY CHECK (n > 0),
  date date NOT NULL UNIQUE,
  cut_at timestamptz(3) NOT NULL,
  entries bigint NOT NULL,
  accounts bigint NOT NULL,
  root bytea NOT NULL CHECK (length(root) = 32),
  books text NOT NULL,
  changed bytea NOT NULL,
  previous bytea NOT NULL CHECK (length(previous) = 32),
  public_key bytea NOT NULL CHECK (length(public_key) = 32),
  signature bytea NOT NULL CHECK (length(signature) = 64),
  made_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN ledger_close.cut_at IS 'the end of the date: entries before it are in the close';
COMMENT ON COLUMN ledger_close.books IS 'trial balance, payments of the day, and the head of the action log; its digest is signed';
COMMENT ON COLUMN ledger_close.changed IS 'number and first bytes of the hash of every leaf that changed; its digest is in books';
CREATE TABLE close_account (
  user_id bigint PRIMARY KEY,
  leaf bigint NOT NULL UNIQUE CHECK (leaf >= 0),
  account_key bytea NOT NULL UNIQUE CHECK (length(account_key) = 32)
);
COMMENT ON COLUMN close_account.leaf IS 'its place in the tree, which it keeps: numbered from 0 without gaps';
CREATE TABLE close_leaf (
  user_id bigint NOT NULL,
  n bigint NOT NULL,
  seq bigint NOT NULL CHECK (seq > 0),
  head bytea NOT NULL CHECK (length(head) = 32),
  PRIMARY KEY (user_id, n)
);
CREATE INDEX close_leaf_close ON close_leaf (n);
COMMENT ON TABLE close_leaf IS 'the accounts that changed since the close before; the leaf of any other is its last one';
CREATE TABLE close_anchor (
  n bigint NOT NULL REFERENCES ledger_close (n),
  witness text NOT NULL,
  attempts int NOT NULL DEFAULT 0,
  tried_at timestamptz(3) NOT NULL,
  anchored_at timestamptz(3),
  problem text,
  PRIMARY KEY (n, witness)
);
`;

const GUARD = ['ledger_close', 'close_account', 'close_leaf']
  .map(
    (table) => `
CREATE TRIGGER ${table}_append_only BEFORE UPDATE OR DELETE ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER ${table}_no_truncate BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();`,
  )
  .join('');

// Closes are made by the worker, in the operators' role. The members' API only lists them.
const GRANTS = `
REVOKE ALL ON ledger_day, ledger_day_mark, ledger_close, close_account, close_leaf, close_anchor FROM yiqiao_app, PUBLIC;
GRANT SELECT ON ledger_close TO yiqiao_app;
GRANT SELECT, INSERT (day, line, entries, char_num, voice_num, image_num, amount),
  UPDATE (entries, char_num, voice_num, image_num, amount) ON ledger_day TO yiqiao_operator;
GRANT SELECT, INSERT (user_id, rolled_seq), UPDATE (rolled_seq) ON ledger_day_mark TO yiqiao_operator;
GRANT SELECT, INSERT (n, date, cut_at, entries, accounts, root, books, changed, previous, public_key, signature)
  ON ledger_close TO yiqiao_operator;
GRANT SELECT, INSERT (user_id, leaf, account_key) ON close_account TO yiqiao_operator;
GRANT SELECT, INSERT (user_id, n, seq, head) ON close_leaf TO yiqiao_operator;
GRANT SELECT, INSERT (n, witness, attempts, tried_at, anchored_at, problem), UPDATE (attempts, tried_at, anchored_at, problem)
  ON close_anchor TO yiqiao_operator;
`;
