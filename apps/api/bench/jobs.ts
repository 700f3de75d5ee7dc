import { randomBytes } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { TRIAL_GROUP_ID } from '@yiqiao/domain/plans';
import pg from 'pg';
import { RollUpUsage } from '../src/ledger/usage/usage-roll-up.js';
import { WatchBalances } from '../src/members/reminders/watch-balances.js';
import { withApp } from '../src/operator/operator-app.js';
import { loadConfig } from '../src/platform/config.js';
import { Plans } from '../src/plans/plans.js';
import { install } from './fixture.js';
import { apiEnv } from './sign-in.js';
import { median, overRounds, type Report, some, type Settings } from './targets.js';

const ACCOUNTS = 1_000_000;
const CHANGED = 1_000;

/** The jobs of the worker that look for accounts that changed; without a mark they look at every account. */
const JOBS = {
  'watch-balances': () => new WatchBalances(),
  'roll-up-usage': () => new RollUpUsage(),
};
type Name = keyof typeof JOBS;

/** One run of each job over a million accounts of which a thousand have changed: looking at every one, and at those that changed. */
export async function benchJobs({ server, rounds, scale, log }: Settings): Promise<Report> {
  const [accounts, changed] = [some(ACCOUNTS, scale), some(CHANGED, scale)];
  const name = `bench_jobs_${randomBytes(6).toString('hex')}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  const admin = new pg.Client(server);
  await admin.connect();
  try {
    await install(url.href);
    const took = await withApp(loadConfig(apiEnv(url.href, { LOG_LEVEL: 'warn' })), async (app) => {
      await app.get(Plans).seed();
      log(`${accounts.toLocaleString('en-US')} accounts …`);
      const owner = new pg.Client(url.href);
      await owner.connect();
      await owner.query(LOAD, [accounts, TRIAL_GROUP_ID]);
      await owner.query('VACUUM (ANALYZE)');
      const commands = app.get(CommandBus);
      const timed = async (job: Name): Promise<number> => {
        const begun = performance.now();
        await commands.execute(JOBS[job]());
        return performance.now() - begun;
      };
      const all: Record<Name, { every: number[]; some: number[] }> = {
        'watch-balances': { every: [], some: [] },
        'roll-up-usage': { every: [], some: [] },
      };
      for (const job of Object.keys(JOBS) as Name[]) {
        await timed(job);
        for (let round = 0; round < rounds; round++) {
          await owner.query(CHANGE, [changed, accounts]);
          all[job].some.push(await timed(job));
          await owner.query(CHANGE, [changed, accounts]);
          await owner.query('DELETE FROM ledger_reader WHERE name = $1', [job]);
          all[job].every.push(await timed(job));
        }
      }
      await owner.end();
      return all;
    });
    const lines = Object.entries(took).map(
      ([job, { every, some: few }]) =>
        `  ${job.padEnd(20)} every account ${median(every).toFixed(0)} ms   those that changed ${median(few).toFixed(0)} ms`,
    );
    const of = `${changed.toLocaleString('en-US')} of ${accounts.toLocaleString('en-US')} accounts changed`;
    return {
      text: [`jobs of the worker, ${of}`, ...lines].join('\n'),
      json: took,
      targets: Object.entries(took).map(([job, { every, some: few }]) =>
        overRounds(
          few.map((ms, round) => ms / (every[round] ?? Number.NaN)),
          { name: `${job}, those that changed ÷ every account`, kind: 'below', gate: 0.2, unit: '' },
        ),
      ),
    };
  } finally {
    await admin.query(`DROP DATABASE IF EXISTS ${admin.escapeIdentifier(name)} WITH (FORCE)`);
    await admin.end();
  }
}

/** Members with an account that has been counted; half of them have been told of a low balance, some have a package. */
const LOAD = `
WITH born AS (
  INSERT INTO member (id, family_id, nickname, member_group_id)
  SELECT nextval(pg_get_serial_sequence('member', 'id')), currval(pg_get_serial_sequence('member', 'id')), 'n' || n, $2
  FROM generate_series(1, $1::int) n RETURNING id
), account AS (
  INSERT INTO member_account (user_id, family_id, usable_char_num, entry_seq, type_seqs, expire_at)
  SELECT id, id, CASE WHEN id % 2 = 0 THEN 500 ELSE 5000 END, 2, '{0,0,0,0,0,0,0,0,0,0}',
    CASE WHEN id % 3 = 0 THEN now() + make_interval(days => (id % 60)::int) END
  FROM born
), told AS (
  INSERT INTO member_reminder (user_id, family_id, low_told_seq) SELECT id, id, 2 FROM born WHERE id % 2 = 0
)
INSERT INTO usage_mark (user_id, family_id, rolled_seq) SELECT id, id, 2 FROM born`;

/** A translation of ten characters of so many accounts at random. The locks come first, as in the product. */
const CHANGE = `
WITH chosen AS MATERIALIZED (
  SELECT user_id, family_id, entry_seq, usable_char_num FROM member_account
  WHERE user_id IN (SELECT DISTINCT 1 + floor(random() * $2::int)::bigint FROM generate_series(1, $1::int))
  ORDER BY user_id FOR NO KEY UPDATE
), changed AS (
  UPDATE member_account a SET entry_seq = a.entry_seq + 1, usable_char_num = a.usable_char_num - 10 FROM chosen c WHERE c.user_id = a.user_id
)
INSERT INTO account_log (user_id, family_id, seq, log_type, type_seq, cmd_id, created_at, char_change, min_change, voice_change, image_change,
  used_char_num, amount, before_char, last_char, before_voice, last_voice, before_image, last_image, before_billing_mode, last_billing_mode, hash)
SELECT user_id, family_id, entry_seq + 1, 7, entry_seq + 1, gen_random_uuid(), now(), -10, 0, 0, 0, 10, 0, usable_char_num, usable_char_num - 10,
  0, 0, 0, 0, 1, 1, sha256('x') FROM chosen`;
