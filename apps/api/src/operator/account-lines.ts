import type { EntityManager } from '@mikro-orm/postgresql';
import type { INestApplicationContext } from '@nestjs/common';
import { BILLING_MODES } from '@yiqiao/domain/plans';
import { Ledger } from '../ledger/ledger.js';
import { type Member, Members } from '../members/members.js';
import { Clock } from '../platform/clock.js';
import { Plans } from '../plans/plans.js';
import type { Operator } from './product.js';

/** An account in words, for before → after; as it stands in the transaction of `em`. */
export async function accountLines(
  { app, language }: Pick<Operator, 'app' | 'language'>,
  em: EntityManager,
  userId: number,
): Promise<Record<string, string | number>> {
  const { accounts } = await app.get(Ledger, { strict: false }).view(em, { userIds: [userId] });
  const state = accounts[0]?.state;
  if (!state) throw new Error(`member ${userId} has no account`);
  const names = NAMES[language];
  const clock = app.get(Clock, { strict: false });
  return {
    [names.chars]: state.charNum,
    [names.voice]: state.voiceNum,
    [names.images]: state.imageNum,
    [names.expires]: state.expireAt === null ? '–' : clock.toWire(new Date(state.expireAt)),
    [names.mode]: BILLING_MODES[state.billingMode][language],
    [names.channel]: state.tranChannelId ?? '–',
    [names.plan]: await planOf(app, em, userId),
  };
}

const NAMES = {
  zh: { chars: '字符', voice: '语音', images: '图片', expires: '到期', mode: '计费', channel: '通道', plan: '套餐' },
  en: {
    ...{ chars: 'characters', voice: 'voice', images: 'images', expires: 'expires', mode: 'billing' },
    ...{ channel: 'channel', plan: 'plan' },
  },
} as const;

/** Read by SQL: an entity that this transaction has seen before would tell how it was. */
async function planOf(app: INestApplicationContext, em: EntityManager, userId: number): Promise<string> {
  const [row] = await em.execute<{ id: number }[]>(
    'SELECT f.member_group_id AS id FROM member m JOIN member f ON f.id = m.family_id WHERE m.id = ?',
    [userId],
  );
  return (await app.get(Plans, { strict: false }).group(em, Number(row?.id))).name;
}

/** `账号 demo（编号 1）` */
export async function titleOf({ app, language }: Operator, member: Member): Promise<string> {
  const name = (await app.get(Members, { strict: false }).usernameOf(member.id)) ?? '–';
  return { zh: `账号 ${name}（编号 ${member.id}）`, en: `Account ${name} (id ${member.id})` }[language];
}
