import { defineConfig, type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { Refusal } from '@yiqiao/domain/errors';
import type { Movement } from '@yiqiao/domain/ledger';
import { DAY_MS, PACKAGE_DAYS } from '@yiqiao/domain/limits';
import { TRIAL_GROUP_ID } from '@yiqiao/domain/plans';
import { entities } from '../../src/entities.js';
import { Ledger, type Posting, type Usage } from '../../src/ledger/ledger.js';
import { LedgerWriter, type WriterOptions } from '../../src/ledger/writer/ledger-writer.js';
import { APP_ROLE } from '../../src/platform/database.js';
import { uuid7 } from '../../src/platform/uuid7.js';
import { freshDatabase, type FreshDatabase } from './database.js';

type Changes = Pick<Movement, 'charChange' | 'voiceChange' | 'imageChange'>;

/** The ledger alone, on its own database. */
export type LedgerFixture = FreshDatabase & {
  ledger: Ledger;
  writer: LedgerWriter;
  orm: MikroORM;
  /** A main account with this gift, valid for a month; or a sub-account of `family` with this quota from an operator. */
  member: (quota?: Changes, family?: number) => Promise<number>;
  /** Posts a movement with the row that confirms it, if needed: the operator's reason or the gift. */
  post: (userId: number, movement: Movement, cmdId?: string) => ReturnType<Ledger['post']>;
};

/** The application_name of the writer's connections. */
export const WRITER_NAME = 'ledger-writer';

export const usage: Usage = { tranChannelId: 1, ip: '192.0.2.7', clientType: 'web', source: 'zh', target: 'en' };

/** `ok`, the code of the refusal, or another error as text. */
export const outcomeOf = (doing: Promise<unknown>): Promise<string> =>
  doing.then(
    () => 'ok',
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  );

/** Records who changes the account and why, in the transaction of the change. Returns the operator's id. */
export async function writeReason(
  em: EntityManager,
  { cmdId, userId }: { cmdId: string; userId: number },
): Promise<number> {
  await em.execute(
    `INSERT INTO manager_action (cmd_id, manager_id, user_id, family_id, reason)
     SELECT ?, ${OPERATOR}, id, family_id, 'a test' FROM member WHERE id = ? ON CONFLICT DO NOTHING`,
    [cmdId, userId],
  );
  return OPERATOR;
}

/** Records a once-only gift of a mailbox. False if it had it before. */
export async function claimGift(
  em: EntityManager,
  { gift, userId, ...quota }: { gift: 'trial' | 'invite'; userId: number } & Changes,
): Promise<boolean> {
  const claimed = await em.execute<unknown[]>(
    `INSERT INTO mailbox_gift (mailbox_hmac, gift, given_at, user_id, char_num, voice_num, image_num)
     VALUES (?, ?, now(), ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING gift`,
    [`m${userId}`, gift, userId, quota.charChange ?? 0, quota.voiceChange ?? 0, quota.imageChange ?? 0],
  );
  return claimed.length === 1;
}

const OPERATOR = 1;

export async function createLedgerFixture(options: Partial<WriterOptions> = {}): Promise<LedgerFixture> {
  const database = await freshDatabase();
  const { url, owner } = database;
  await owner.query(`INSERT INTO tran_channel (id, code, name, en_name, price) VALUES (1, 'offline', '离线', 'Offline', 10);
    INSERT INTO member_group (id, name, en_name, tier, billing_mode, num, sale_price, reference_channel_id) VALUES (1, '试用', 'Trial', 'trial', 1, 0, 0, 1);
    INSERT INTO manager (name) VALUES ('tester')`);
  const driverOptions = { options: `-c role=${APP_ROLE}` };
  const orm = new MikroORM(defineConfig({ clientUrl: url, entities, driverOptions }));
  await orm.connect();
  const writer = new LedgerWriter({ connectionString: url, application_name: WRITER_NAME, ...driverOptions }, options);
  const ledger = new Ledger(orm.em, writer);
  const transactional = <T>(work: (em: EntityManager) => Promise<T>): Promise<T> => orm.em.fork().transactional(work);
  const post: LedgerFixture['post'] = (userId, asked, cmdId = uuid7()) =>
    transactional(async (em) => {
      let movement = asked;
      if (asked.type === 'SYS_ADJUST')
        movement = { ...asked, refs: { ...asked.refs, managerId: await writeReason(em, { cmdId, userId }) } };
      if (asked.type === 'INVITE_REWARD') await claimGift(em, { gift: 'invite', userId, ...asked });
      return ledger.post(em, userId, movement, { cmdId });
    });
  const openWithGift = (userId: number, quota: Changes): Promise<unknown> =>
    transactional(async (em) => {
      await claimGift(em, { gift: 'trial', userId, ...quota });
      const rule = (_: unknown, now: number): Posting[] => {
        const opening = { type: 'OTHER', expireAt: now + PACKAGE_DAYS * DAY_MS, tranChannelId: 1 } as const;
        return [{ userId, movement: { ...opening, ...quota, refs: { memberGroupId: TRIAL_GROUP_ID } } }];
      };
      await ledger.move(em, { userIds: [userId] }, { rule, command: { cmdId: uuid7() } });
    });
  const member: LedgerFixture['member'] = async (quota = {}, family) => {
    const { rows } = await owner.query<{ id: number }>(
      `INSERT INTO member (id, family_id, parent_id, nickname, member_group_id)
       SELECT n, coalesce($1, n), $1, 'm' || n, 1 FROM nextval(pg_get_serial_sequence('member', 'id')) AS n RETURNING id`,
      [family ?? null],
    );
    const userId = Number(rows[0]?.id);
    await transactional((em) => ledger.open(em, { userId, familyId: family ?? userId }));
    if (family === undefined) await openWithGift(userId, quota);
    else await post(userId, { type: 'SYS_ADJUST', ...quota });
    return userId;
  };
  const drop = async (): Promise<void> => {
    await writer.close();
    await orm.close(true);
    await database.drop();
  };
  return { ...database, ledger, writer, orm, member, post, drop };
}
