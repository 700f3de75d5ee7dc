import { BILLING_MODES } from '@yiqiao/domain/plans';
import { type Member, Members } from '../members/members.js';
import type { ChangeBy, Holdings, QuotaChange } from '../operators/members/member-change.js';
import type { Language } from '../platform/cli-messages.js';
import type { ParsedArguments } from './command-line.js';
import { commandIdFor, managerAndReason, managerIdOf, systemUser } from './managers.js';
import type { Operator } from './operator-app.js';
import { changes, type ChangeValues } from './table.js';

/** `--by`, `--reason` and `--key` of a change of an account. */
export function changeBy(what: 'adjust' | 'grant', parsed: ParsedArguments): ChangeBy {
  const { manager, reason } = managerAndReason(parsed);
  return {
    author: async (em) => ({ managerId: await managerIdOf(em, manager), reason }),
    actor: { actor: `cli:${systemUser()}` },
    cmdId: commandIdFor(what, parsed),
  };
}

/** What changed, one line each. */
export const changeLines = ({ before, after, applied }: QuotaChange, language: Language): string[] =>
  applied ? changes(lines(before, language), lines(after, language)) : [ALREADY_DONE[language]];

const ALREADY_DONE = {
  zh: '  这个 --key 已经执行过，没有重复',
  en: '  already done with this --key; not repeated',
};

const lines = (holdings: Holdings, language: Language): ChangeValues => {
  const names = NAMES[language];
  return {
    [names.chars]: holdings.charNum,
    [names.voice]: holdings.voiceNum,
    [names.images]: holdings.imageNum,
    [names.expires]: holdings.expireDateTime,
    [names.mode]: BILLING_MODES[holdings.translationBillingMode][language],
    [names.channel]: holdings.tranChannelId,
    [names.plan]: holdings.memberGroup,
  };
};

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

/** `账号 demo（编号 1）` */
export async function titleOf({ app, language }: Operator, member: Member): Promise<string> {
  const name = (await app.get(Members, { strict: false }).usernameOf(member.id)) ?? '–';
  return { zh: `账号 ${name}（编号 ${member.id}）`, en: `Account ${name} (id ${member.id})` }[language];
}
