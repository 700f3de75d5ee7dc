import { Migration } from '@mikro-orm/migrations';

/** What operators tell everybody who opens the site. */
export class Migration0008Notices extends Migration {
  override up(): void {
    for (const sql of [NOTICE, GRANTS]) this.addSql(sql);
  }
}

const NOTICE = `
CREATE TABLE notice (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  zh jsonb NOT NULL,
  en jsonb NOT NULL,
  starts_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) CHECK (ends_at > starts_at),
  withdrawn_at timestamptz(3),
  manager_id bigint NOT NULL REFERENCES manager (id),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  changed_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN notice.zh IS 'name, title, subTitle and content; content is HTML that was cleaned when it was written';
CREATE INDEX notice_shown ON notice (starts_at DESC, id DESC) WHERE withdrawn_at IS NULL;
`;

const GRANTS = `
GRANT SELECT, INSERT, UPDATE ON notice TO yiqiao_app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO yiqiao_app;
`;
