import { QueryBus } from '@nestjs/cqrs';
import { TRIAL_GROUP_ID } from '@yiqiao/domain/plans';
import pg from 'pg';
import { withApp } from '../src/operator/operator-app.js';
import { SearchMembers } from '../src/operators/members/search-members.js';
import { loadConfig } from '../src/platform/config.js';
import { Plans } from '../src/plans/plans.js';
import { type Figure, measure } from './figures.js';
import { install } from './fixture.js';
import { random } from './random.js';
import { apiEnv } from './sign-in.js';
import { some, type Settings } from './targets.js';

const MEMBERS = 1_000_000;
const SEARCHES = 700;

/** Searches a database of its own for members by every kind of key, in turn: the console's page of ten. */
export async function measureSearch({ server, scale, log }: Settings): Promise<Figure> {
  const members = some(MEMBERS, scale);
  const name = `bench_members_${process.pid}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  const admin = new pg.Client(server);
  await admin.connect();
  try {
    await install(url.href);
    return await withApp(loadConfig(apiEnv(url.href, { LOG_LEVEL: 'warn' })), async (app) => {
      await app.get(Plans).seed();
      log(`${members.toLocaleString('en-US')} members …`);
      const samples = await load(url.href, members);
      const next = random(23);
      const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
      const keys: ((sample: Sample) => string)[] = [
        ({ id }) => String(id),
        ({ username }) => username,
        ({ email }) => email,
        ({ invite_code: code }) => code,
        ({ username }) => username.slice(0, 5),
        ({ nickname }) => nickname.slice(1, 3),
        ({ email }) => email.slice(2, 7),
      ];
      const prepare = (i: number): SearchMembers =>
        new SearchMembers({ query: keys[i % keys.length]!(pick(samples)), pageNum: 1, pageSize: 10 });
      const settings = { name: `search among ${members.toLocaleString('en-US')} members`, count: SEARCHES, scale };
      const queries = app.get(QueryBus);
      return measure({ ...settings, gates: { p95: 50 } }, prepare, (query) => queries.execute(query));
    });
  } finally {
    await admin.query(`DROP DATABASE IF EXISTS ${admin.escapeIdentifier(name)} WITH (FORCE)`);
    await admin.end();
  }
}

type Sample = { id: number; username: string; email: string; nickname: string; invite_code: string };

/** Returns some of them. */
async function load(url: string, members: number): Promise<Sample[]> {
  const owner = new pg.Client(url);
  await owner.connect();
  try {
    await owner.query(`SET maintenance_work_mem = '512MB'; SET session_replication_role = replica`);
    const { rows: indexes } = await owner.query<{ name: string; make: string }>(
      `SELECT indexname AS name, indexdef AS make FROM pg_indexes
       WHERE tablename IN ('member', 'identity') AND indexdef NOT LIKE '%UNIQUE%'`,
    );
    for (const { name } of indexes) await owner.query(`DROP INDEX ${name}`);
    for (const statement of STATEMENTS) await owner.query(statement, statement.includes('$1') ? [members] : []);
    for (const { make } of indexes) await owner.query(make);
    await owner.query('VACUUM (ANALYZE)');
    const { rows } = await owner.query<Sample>(
      `SELECT m.id, m.nickname, m.invite_code, u.shown AS username, e.shown AS email FROM member m
       JOIN identity u ON u.user_id = m.id AND u.kind = 'username' JOIN identity e ON e.user_id = m.id AND e.kind = 'email'
       WHERE m.id % (SELECT greatest(1, count(*) / 1000) FROM member) = 0`,
    );
    return rows;
  } finally {
    await owner.end();
  }
}

const SURNAMES = '王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹';
const GIVEN = '伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂文辉玲健俊帆雪峰琳晨宇浩凯婷佳欣嘉怡梓涵子轩思雨若汐';
const letter = (of: string, salt: string): string =>
  `substr('${of}', 1 + (hashint8(n * 31 + ${salt}) & 2147483647) % ${of.length}, 1)`;

const STATEMENTS = [
  `INSERT INTO member (id, family_id, nickname, invite_code, member_group_id)
   SELECT n, n, ${letter(SURNAMES, '1')} || ${letter(GIVEN, '2')} || ${letter(GIVEN, '3')}, upper(lpad(to_hex(n), 10, '0')), ${TRIAL_GROUP_ID}
   FROM generate_series(1::bigint, $1::bigint) AS n`,
  `INSERT INTO identity (kind, unique_key, shown, user_id, family_id)
   SELECT kind, name, name, n, n FROM (SELECT n, kind, CASE kind WHEN 'username' THEN substr(md5(n::text), 1, 4) || lpad(n::text, 7, '0')
     ELSE substr(md5(n || 'mail'), 1, 6) || n || '@' || (ARRAY ['qq.com', '163.com', 'gmail.com', 'outlook.com'])[1 + n % 4] END AS name
   FROM generate_series(1::bigint, $1::bigint) AS n, unnest(ARRAY ['username', 'email']) AS kind) AS names`,
  `INSERT INTO member_account (user_id, family_id, usable_char_num, expire_at, tran_channel_id)
   SELECT id, id, 5000, now() + interval '30 days', 1 FROM member`,
  `INSERT INTO login_log (user_id, family_id, login_ip, client_type, sum_day)
   SELECT id, id, '192.0.2.7', 0, 1 FROM member WHERE id % 10 = 0`,
];
