import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import { Refusal } from '@yiqiao/domain/errors';
import type { Movement } from '@yiqiao/domain/ledger';
import { DAY_MS, PACKAGE_DAYS } from '@yiqiao/domain/limits';
import { TRIAL_GROUP_ID } from '@yiqiao/domain/plans';
import { Ledger, type Posting, type Usage } from '../../src/ledger/ledger.js';
import { LedgerWriter, type WriterOptions } from '../../src/ledger/writer/writer.js';
import { APP_ROLE } from '../../src/platform/database.js';
import { uuid7 } from '../../src/platform/uuid7.js';
import { freshDatabase, type FreshDatabase } from './database.js';
import { giveReason } from './operator.js';

/** The ledger alone, on a database of its own: what its specs need of the house. */
export type LedgerHouse = FreshDatabase & {
  ledger: Ledger;
  writer: LedgerWriter;
  orm: MikroORM;
  /** A member whose account holds this, alive for a day; answers the id. */
  member: (quota?: Partial<Movement>, family?: number) => Promise<number>;
  post: (userId: number, movement: Movement, cmdId?: string) => ReturnType<Ledger['post']>;
};

/** As what the writer's own connections show in pg_stat_activity. */
export const WRITER_NAME = 'ledger-writer';

export const usage: Usage = { tranChannelId: 1, ip: '192.0.2.7', clientType: 'web', source: 'zh', target: 'en' };

/** What became of it: `ok`, the code of the refusal, or the bug in words. */
export const outcomeOf = (doing: Promise<unknown>): Promise<string> =>
  doing.then(
    () => 'ok',
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  );

const quotaOf = ({ charChange = 0, voiceChange = 0, imageChange = 0 }: Partial<Movement>): Partial<Movement> => ({
  ...{ charChange, voiceChange, imageChange },
});

/** Whether the product could have given a new member this; else the ledger is asked for what no product would write. */
const isGift = ({ amount, billingMode, expireAt = null, refs }: Partial<Movement>): boolean =>
  amount === undefined && billingMode === undefined && expireAt === null && refs === undefined;

export async function ledgerHouse(options: Partial<WriterOptions> = {}): Promise<LedgerHouse> {
  const database = await freshDatabase();
  const { url, owner } = database;
  await owner.query(`INSERT INTO tran_channel (id, code, name, en_name, price) VALUES (1, 'offline', '离线', 'Offline', 10);
    INSERT INTO member_group (id, name, en_name, tier, billing_mode, num, sale_price, reference_channel_id) VALUES (1, '试用', 'Trial', 'trial', 1, 0, 0, 1)`);
  const driverOptions = { options: `-c role=${APP_ROLE}` };
  const orm = new MikroORM(
    defineConfig({ clientUrl: url, entities: [], discovery: { warnWhenNoEntities: false }, driverOptions }),
  );
  await orm.connect();
  const writer = new LedgerWriter({ connectionString: url, application_name: WRITER_NAME, ...driverOptions }, options);
  const ledger = new Ledger(orm.em, writer);
  const post: LedgerHouse['post'] = async (userId, asked, cmdId = uuid7()) => {
    const managerId = asked.type === 'SYS_ADJUST' ? await giveReason(owner, { cmdId, userId }) : null;
    const movement = managerId === null ? asked : { ...asked, refs: { ...asked.refs, managerId } };
    return orm.em.fork().transactional((em) => ledger.post(em, userId, movement, { cmdId }));
  };
  /** What a mailbox is given once, as the product gives it. */
  const openWithGift = async (userId: number, quota: Partial<Movement>): Promise<void> => {
    const { charChange = 0, voiceChange = 0, imageChange = 0 } = quota;
    await owner.query(
      `INSERT INTO mailbox_gift (mailbox_hmac, gift, user_id, char_num, voice_num, image_num) VALUES ($1, 'trial', $2, $3, $4, $5)`,
      [`m${userId}`, userId, charChange, voiceChange, imageChange],
    );
    const rule = (_: unknown, now: number): Posting[] => {
      const movement = { type: 'OTHER', expireAt: now + PACKAGE_DAYS * DAY_MS, tranChannelId: 1 } as const;
      return [{ userId, movement: { ...movement, ...quotaOf(quota), refs: { memberGroupId: TRIAL_GROUP_ID } } }];
    };
    const command = { cmdId: uuid7() };
    await orm.em.fork().transactional((em) => ledger.move(em, { userIds: [userId] }, { rule, command }));
  };
  const member: LedgerHouse['member'] = async (quota = {}, family) => {
    const { rows } = await owner.query<{ id: number }>(
      `INSERT INTO member (id, family_id, parent_id, nickname, member_group_id)
       SELECT n, coalesce($1, n), $1, 'm' || n, 1 FROM nextval(pg_get_serial_sequence('member', 'id')) AS n RETURNING id`,
      [family ?? null],
    );
    const userId = Number(rows[0]?.id);
    await orm.em.fork().transactional((em) => ledger.open(em, { userId, familyId: family ?? userId }));
    if (isGift(quota) && family === undefined) await openWithGift(userId, quota);
    else if (isGift(quota) && quota.expireAt === null && quota.tranChannelId === null)
      await post(userId, { type: 'SYS_ADJUST', ...quotaOf(quota) });
    else await post(userId, { type: 'OTHER', expireAt: Date.now() + 86_400_000, tranChannelId: 1, ...quota });
    return userId;
  };
  const drop = async (): Promise<void> => {
    await writer.close();
    await orm.close(true);
    await database.drop();
  };
  return { ...database, ledger, writer, orm, member, post, drop };
}
