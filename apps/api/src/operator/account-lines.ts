import type { EntityManager } from '@mikro-orm/postgresql';
import type { INestApplicationContext } from '@nestjs/common';
import { BILLING_MODES } from '@yiqiao/domain/plans';
import { Ledger } from '../ledger/ledger.js';
import { Member } from '../members/member.entity.js';
import { Members } from '../members/members.js';
import { Clock } from '../platform/clock.js';
import { Plans } from '../plans/plans.js';
import type { Operator } from './operator-app.js';

/** Describes an account for a before → after comparison, in the transaction of `em`. */
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
    chars: 'characters',
    voice: 'voice',
    images: 'images',
    expires: 'expires',
    mode: 'billing',
    channel: 'channel',
    plan: 'plan',
  },
} as const;

/** Without the identity map, because the plan changes within the transaction. */
async function planOf(app: INestApplicationContext, em: EntityManager, userId: number): Promise<string> {
  const { familyId } = await em.findOneOrFail(Member, { id: userId }, { disableIdentityMap: true });
  const main = await em.findOneOrFail(Member, { id: familyId }, { disableIdentityMap: true });
  return (await app.get(Plans, { strict: false }).group(em, main.memberGroupId)).name;
}

/** `账号 demo（编号 1）` */
export async function titleOf({ app, language }: Operator, member: Member): Promise<string> {
  const name = (await app.get(Members, { strict: false }).usernameOf(member.id)) ?? '–';
  return { zh: `账号 ${name}（编号 ${member.id}）`, en: `Account ${name} (id ${member.id})` }[language];
}
