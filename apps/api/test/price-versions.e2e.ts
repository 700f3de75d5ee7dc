/** Prices keep their history, and the time of an entry says which of them it used (docs/decisions/0034). */
import { EntityManager } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { changeChannel } from '@yiqiao/contracts/plans';
import { exchange } from '@yiqiao/domain/conversion';
import { priceAt, versionAt } from '@yiqiao/domain/plans';
import pg from 'pg';
import { ConversionPrices } from '../src/members/conversion-prices.js';
import { migrate } from '../src/migrate.js';
import { Plans } from '../src/plans/plans.js';
import { startApi, type TestApi } from './support/api.js';
import { freshDatabase } from './support/database.js';
import { buyPackage, makeMain, setChars } from './support/family.js';
import { MONTHLY, STANDARD } from './support/orders.js';

const [OFFLINE, GOOGLE] = [1, 2];

let api: TestApi;
let plans: Plans;

beforeAll(async () => {
  api = await startApi({ LIMIT_CHANNEL_CHANGES_PER_HOUR: '10000' });
  plans = api.app.get(Plans);
  plans.announce('google', () => Promise.resolve({ available: true, reason: null }));
});
afterAll(() => api.stop());

const em = () => api.app.get(EntityManager).fork();
const setPrice = (id: number, price: number) =>
  api.db.query('UPDATE tran_channel SET price = $2 WHERE id = $1', [id, price]);

describe('a price version', () => {
  it('is written with every change of a price or a plan, and only then', async () => {
    const before = (await plans.priceHistory(em())).length;
    await setPrice(OFFLINE, 41);
    await setPrice(OFFLINE, 41);
    await api.db.query("UPDATE tran_channel SET name = '离线', enabled = true WHERE id = 1");
    await setPrice(OFFLINE, 40);
    const history = await plans.priceHistory(em());
    expect(history).toHaveLength(before + 2);
    expect(priceAt(history, OFFLINE, 0)).toBe(40);
    const [dearer, cheaper] = history.slice(-2);
    expect([dearer?.price, cheaper?.price]).toEqual([41, 40]);
    expect(priceAt(history, OFFLINE, dearer?.effectiveAt ?? 0)).toBe(41);
    expect(priceAt(history, OFFLINE, (dearer?.effectiveAt ?? 0) - 1)).toBe(40);
    const versions = (await plans.versions(em(), STANDARD)).length;
    await api.db.query("UPDATE member_group SET name = '标准版', position = 3, on_sale = true WHERE id = 2");
    expect(await plans.versions(em(), STANDARD)).toHaveLength(versions);
    await api.db.query('UPDATE member_group SET num = num + 1 WHERE id = 2');
    await api.db.query('UPDATE member_group SET num = num - 1 WHERE id = 2');
    const changed = await plans.versions(em(), STANDARD);
    expect(changed.slice(versions).map(({ num }) => num)).toEqual([2_000_001, 2_000_000]);
    expect(versionAt(changed, changed.at(-1)?.effectiveAt ?? 0)?.num).toBe(2_000_000);
  });

  it('is read as one row, however many came before', async () => {
    const main = await makeMain(api);
    await buyPackage(api, main, MONTHLY);
    await buyPackage(api, main, MONTHLY);
    const read = async (): Promise<{ rows: number; found: unknown[] }> => {
      const counted = em();
      let rows = 0;
      const execute = counted.execute.bind(counted) as (...args: unknown[]) => Promise<unknown[]>;
      Object.assign(counted, {
        execute: async (...args: unknown[]) => {
          const answer = await execute(...args);
          rows += answer.length;
          return answer;
        },
      });
      const { from } = await api.app.get(ConversionPrices, { strict: false }).of(counted, main.session.userId);
      return { rows, found: [from, await plans.current(counted, STANDARD)] };
    };
    const before = await read();
    const then = "timestamptz '2001-01-01' + n * interval '1 min' FROM generate_series(1, 10000) n";
    await api.db.query(
      `INSERT INTO channel_price (tran_channel_id, price, effective_at, reason) SELECT 2, 40, ${then.replace(' FROM', ", '' FROM")}`,
    );
    await api.db.query(
      `INSERT INTO plan_version (member_group_id, billing_mode, num, sale_price, minute_price, voice_num, image_num,
         reference_channel_id, reason, effective_at) SELECT 2, 1, 2000000, 8800, 1, 60, 60, 2, '', ${then}`,
    );
    expect(await read()).toEqual(before);
    expect(before.rows).toBeLessThan(40);
  });

  it('cannot be changed, or written by the application directly', async () => {
    const insert = {
      channel_price: `(tran_channel_id, price, effective_at, reason) VALUES (1, 1, now(), 'x')`,
      plan_version: `(member_group_id, billing_mode, num, sale_price, minute_price, voice_num, image_num, reference_channel_id,
        effective_at, reason) VALUES (2, 1, 1, 1, 1, 1, 1, 1, now(), 'x')`,
    };
    for (const [table, row] of Object.entries(insert)) {
      await expect(api.db.query(`DELETE FROM ${table}`)).rejects.toThrow(/append-only/);
      await expect(api.db.query(`UPDATE ${table} SET reason = 'x'`)).rejects.toThrow(/append-only/);
      await expect(api.db.query(`TRUNCATE ${table} CASCADE`)).rejects.toThrow(/append-only/);
      const asApp = em().transactional((tx) => tx.execute(`INSERT INTO ${table} ${row}`));
      await expect(asApp).rejects.toThrow(/permission denied/);
    }
  });

  it('is determined by the time of an entry, even while prices and channels change', async () => {
    const members = await Promise.all(Array.from({ length: 3 }, () => makeMain(api)));
    for (const { session } of members) await setChars(api, session.userId, 1_000_000);
    let over = false;
    const operator = async (): Promise<void> => {
      for (let i = 0; !over; i++) await setPrice(i % 2 === 0 ? OFFLINE : GOOGLE, 30 + ((i * 7) % 20));
    };
    const pricing = operator();
    const movers = members.map(async (main, i) => {
      for (let n = 0; n < 25; n++) {
        await main.client.call(changeChannel, { targetChannelId: n % 2 === 0 ? GOOGLE : OFFLINE });
        if (n % 5 === i) await buyPackage(api, main, STANDARD);
      }
    });
    await Promise.all(movers).finally(() => (over = true));
    await pricing;
    const history = await plans.priceHistory(em());
    expect(history.length).toBeGreaterThan(20);
    const { rows } = await api.db.query<Record<'type' | 'before' | 'last' | 'from' | 'to' | 'at', number>>(
      `SELECT log_type AS type, before_char AS before, last_char AS last, before_tran_channel_id AS from, last_tran_channel_id AS to,
         (date_part('epoch', created_at) * 1000)::bigint AS at
       FROM account_log WHERE user_id = ANY ($1) AND log_type IN (1, 6)`,
      [members.map(({ session }) => session.userId)],
    );
    expect(rows).toHaveLength(3 * 30);
    for (const { type, before, last, from, to, at } of rows) {
      const price = (channel: number): number => priceAt(history, channel, at);
      if (type === 6) expect(last).toBe(exchange(before, price(from), price(to)));
      else expect(last - before).toBe(exchange(2_000_000, price(GOOGLE), price(to)));
    }
    await setPrice(OFFLINE, 40);
    await setPrice(GOOGLE, 40);
  });
});

describe('a database from an older release', () => {
  it('gets a version of each price and plan, and orders keep what they granted', async () => {
    const { owner, url, drop } = await freshDatabase();
    const name = `${new URL(url).pathname.slice(1)}_old`;
    const old = new URL(url);
    old.pathname = `/${name}`;
    await owner.query(`CREATE DATABASE ${name}`);
    const client = new pg.Client({ connectionString: old.href });
    try {
      await migrate(old.href, '0008-notices');
      await client.connect();
      await client.query(OLD_DATA);
      await migrate(old.href);
      const plan = 'SELECT id, reference_channel_id AS reference FROM member_group ORDER BY id';
      expect((await client.query(plan)).rows).toEqual([
        { id: 1, reference: 2 },
        { id: 5, reference: 6 },
        { id: 6, reference: 7 },
      ]);
      const prices = "SELECT tran_channel_id AS id, price FROM channel_price WHERE effective_at = 'epoch' ORDER BY id";
      expect((await client.query(prices)).rows).toEqual([
        { id: 1, price: 10 },
        { id: 2, price: 20 },
        { id: 6, price: 40 },
        { id: 7, price: 60 },
      ]);
      // The one credited on the offline engine keeps its number there; the others have their plan's reference.
      const orders = `SELECT o.reference_channel_id AS reference, o.reference_price AS price, v.member_group_id AS plan
        FROM recharge_order o JOIN plan_version v ON v.id = o.plan_version_id ORDER BY o.id`;
      expect((await client.query(orders)).rows).toEqual([
        { reference: 1, price: 10, plan: 5 },
        { reference: 6, price: 40, plan: 5 },
        { reference: 7, price: 60, plan: 6 },
      ]);
    } finally {
      await client.end();
      await owner.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await drop();
    }
  });
});

const OLD_DATA = `
INSERT INTO tran_channel (id, code, name, en_name, price) VALUES (1, 'offline', 'a', 'a', 10), (2, 'google', 'b', 'b', 20),
  (6, 'deepl', 'c', 'c', 40), (7, 'chatgpt', 'd', 'd', 60);
INSERT INTO member_group (id, name, en_name, tier, billing_mode, num, sale_price, tran_channel_id)
VALUES (1, 't', 't', 'trial', 1, 5000, 0, NULL), (5, 'a', 'a', 'ai', 1, 100, 100, NULL), (6, 'g', 'g', 'gpt', 1, 100, 100, 7);
INSERT INTO member (id, family_id, nickname, member_group_id) VALUES (1, 1, 'm', 1);
INSERT INTO recharge_order (no, user_id, family_id, pay_cmd, pay_channel, member_group_id, group_name, group_en_name, billing_mode, num,
  voice_num, image_num, minute_price, tran_channel_id, sales_num, sale_price, amount, expires_at)
SELECT 'ORDER' || n, 1, 1, gen_random_uuid(), 'WC_NATIVE', CASE WHEN n < 3 THEN 5 ELSE 6 END, 'a', 'a', 1, 100, 0, 0, 1,
  CASE WHEN n < 3 THEN NULL ELSE 7 END, 1, 100, 100, now() FROM generate_series(1, 3) n;
INSERT INTO payment (gateway, trade_no, order_id, family_id, amount, currency, seen_by, verdict) VALUES ('wechat', 'T', 1, 1, 100, 'CNY', 'query', 'credit');
UPDATE recharge_order SET pay_status = 'P', paid_by = 1, paid_at = now() WHERE id = 1;
INSERT INTO account_log (user_id, family_id, seq, log_type, type_seq, cmd_id, created_at, char_change, min_change, voice_change,
  image_change, used_char_num, amount, before_char, last_char, before_voice, last_voice, before_image, last_image,
  before_tran_channel_id, last_tran_channel_id, before_billing_mode, last_billing_mode, order_id, hash)
VALUES (1, 1, 1, 1, 1, gen_random_uuid(), now(), 100, 0, 0, 0, 0, 100, 0, 100, 0, 0, 0, 0, 1, 1, 1, 1, 1, decode(repeat('00', 32), 'hex'));
`;
