/**
 * The tag of an entry (specification §4) and the sentence that explains it, for the console, the downloads and the operator's `explain`.
 */
import type { Entry } from './ledger.js';
import { BILLING_MODES } from './plans.js';

/** The kind of a change (specification §4), shown as a tag. */
export type ChangeTag = 'none' | 'add' | 'decrease' | 'transfer';

export const CHANGE_TAGS = {
  none: { zh: '无变动', en: 'None' },
  add: { zh: '增加', en: 'Add' },
  decrease: { zh: '减少', en: 'Decrease' },
  transfer: { zh: '转移', en: 'Transfer' },
} as const satisfies Record<ChangeTag, { zh: string; en: string }>;

type Changes = Pick<Entry, 'charChange' | 'minChange' | 'voiceChange' | 'imageChange'>;

/** `transfer`: of characters and minutes one rises while the other falls. Otherwise the sign of the change. */
export function changeTag(e: Changes): ChangeTag {
  if (e.charChange * e.minChange < 0) return 'transfer';
  const changes = [e.charChange, e.minChange, e.voiceChange, e.imageChange];
  if (changes.some((n) => n < 0)) return 'decrease';
  return changes.some((n) => n > 0) ? 'add' : 'none';
}

/** The names of the ids of an entry in the reader's language; null: no such id, or its owner was deleted. */
export type EntryNames = {
  memberGroup: string | null;
  orderNo: string | null;
  /** The characters or minutes of the order, and the channel at whose price. */
  bought: { num: number; reference: string | null } | null;
  consumeChannel: string | null;
  channelBefore: string | null;
  channelAfter: string | null;
  counterpart: string | null;
  manager: string | null;
  /** As the operator wrote it. */
  reason: string | null;
};

export type Explainable = Pick<
  Entry,
  'type' | 'usedCharNum' | 'userId' | 'familyId' | 'beforeBillingMode' | 'lastBillingMode'
> &
  Changes & { names: EntryNames };

type Bilingual = Record<'zh' | 'en', string>;
type Sentence = (e: Explainable, l: 'zh' | 'en') => Bilingual;

/** The name of a deleted sub-account: its last name, marked, until its main account is deleted (decisions §3). */
export const deletedName = (lastName: string, l: 'zh' | 'en'): string =>
  l === 'zh' ? `${lastName}（已删除）` : `${lastName} (deleted)`;

/** A deleted sub-account whose last name is not known any more; the number tells several apart. */
export const namelessDeleted = (userId: number, l: 'zh' | 'en'): string =>
  l === 'zh' ? `已删除的子账号 ${userId}` : `deleted sub-account ${userId}`;

const GONE = '–';
const name = (text: string | null): string => text ?? GONE;

/** The sentence of an entry for its member; `l` is the reader's language. */
export const explainEntry = (e: Explainable, l: 'zh' | 'en'): string => SENTENCES[e.type](e, l)[l];

const number = (n: number): string => Math.abs(n).toLocaleString('en-US');
const plural = (n: number, one: string, many: string): string => `${number(n)} ${Math.abs(n) === 1 ? one : many}`;

/** The changed quantities without signs; the sentence states the direction. */
function amounts(e: Changes, l: 'zh' | 'en'): string {
  const parts: string[] = [];
  if (e.charChange !== 0)
    parts.push(l === 'zh' ? `${number(e.charChange)} 字符` : plural(e.charChange, 'character', 'characters'));
  if (e.minChange !== 0) parts.push(duration(e.minChange, l));
  if (e.voiceChange !== 0)
    parts.push(l === 'zh' ? `${number(e.voiceChange)} 次语音` : plural(e.voiceChange, 'voice use', 'voice uses'));
  if (e.imageChange !== 0)
    parts.push(l === 'zh' ? `${number(e.imageChange)} 张图片` : plural(e.imageChange, 'image', 'images'));
  if (parts.length === 0) return l === 'zh' ? '数量不变' : 'nothing';
  return parts.join(l === 'zh' ? '、' : ', ');
}

/** Minutes as days, hours and minutes. */
function duration(minutes: number, l: 'zh' | 'en'): string {
  const n = Math.abs(minutes);
  const [days, hours, rest] = [Math.floor(n / 1440), Math.floor((n % 1440) / 60), n % 60];
  const parts: string[] = [];
  if (days > 0) parts.push(l === 'zh' ? `${number(days)} 天` : plural(days, 'day', 'days'));
  if (hours > 0) parts.push(l === 'zh' ? `${hours} 小时` : plural(hours, 'hour', 'hours'));
  if (rest > 0) parts.push(l === 'zh' ? `${rest} 分钟` : plural(rest, 'minute', 'minutes'));
  return parts.join(' ');
}

const gained = (e: Changes): Changes => ({
  charChange: Math.max(0, e.charChange),
  minChange: Math.max(0, e.minChange),
  voiceChange: Math.max(0, e.voiceChange),
  imageChange: Math.max(0, e.imageChange),
});
const lost = (e: Changes): Changes => ({
  charChange: Math.min(0, e.charChange),
  minChange: Math.min(0, e.minChange),
  voiceChange: Math.min(0, e.voiceChange),
  imageChange: Math.min(0, e.imageChange),
});
const isNothing = (e: Changes): boolean => changeTag(e) === 'none';

/** `A → B` for decrease and increase, or the one that applies. */
function exchanged(e: Changes, l: 'zh' | 'en'): string {
  const [out, back] = [lost(e), gained(e)];
  if (isNothing(out) || isNothing(back)) return signed(e, l);
  return `${amounts(out, l)} → ${amounts(back, l)}`;
}

/** The amounts with a word for each direction. */
function signed(e: Changes, l: 'zh' | 'en'): string {
  const [out, back] = [lost(e), gained(e)];
  const parts: string[] = [];
  if (!isNothing(back)) parts.push(l === 'zh' ? `增加 ${amounts(back, l)}` : `${amounts(back, l)} added`);
  if (!isNothing(out)) parts.push(l === 'zh' ? `减少 ${amounts(out, l)}` : `${amounts(out, l)} taken off`);
  if (parts.length === 0) return l === 'zh' ? '数量不变' : 'nothing changed';
  return parts.join(l === 'zh' ? '，' : ', ');
}

const isMain = (e: Explainable): boolean => e.userId === e.familyId;
const gives = (e: Changes): boolean => [e.charChange, e.voiceChange, e.imageChange].some((n) => n < 0);
const takes = (e: Changes): boolean => [e.charChange, e.voiceChange, e.imageChange].some((n) => n > 0);

function byManager(e: Explainable): Bilingual {
  if (e.names.manager === null) return { zh: '', en: '' };
  const because =
    e.names.reason === null
      ? { zh: '', en: '' }
      : { zh: `，原因：${e.names.reason}`, en: `, because: ${e.names.reason}` };
  return { zh: `（管理员 ${e.names.manager}${because.zh}）`, en: ` (operator ${e.names.manager}${because.en})` };
}

/** The purchased quantity, if the credited one differs because of the price of the account's channel. */
function boughtElsewhere(e: Explainable, l: 'zh' | 'en'): { what: Bilingual; where: Bilingual } {
  const { bought, channelAfter } = e.names;
  const isTime = e.lastBillingMode === 'time';
  if (!bought || bought.num === (isTime ? e.minChange : e.charChange))
    return { what: { zh: '', en: '' }, where: { zh: '', en: '' } };
  const none = { charChange: 0, minChange: 0, voiceChange: 0, imageChange: 0 };
  const num = amounts({ ...none, [isTime ? 'minChange' : 'charChange']: bought.num }, l);
  const [reference, own] = [name(bought.reference), name(channelAfter)];
  return {
    what: { zh: `（${num}，按${reference}的价格）`, en: ` (${num} at the price of ${reference})` },
    where: { zh: `，等值换算到 ${own}`, en: `, converted at equal value to ${own}` },
  };
}

const recharge: Sentence = (e, l) => {
  const no = e.names.orderNo;
  const { zh, en } = byManager(e);
  const { what, where } = boughtElsewhere(e, l);
  const order = { zh: no === null ? '' : `，订单 ${no}`, en: no === null ? '' : `, order ${no}` };
  return {
    zh: `充值「${name(e.names.memberGroup)}」${what.zh}${order.zh}${where.zh}：${signed(e, l)}${zh}`,
    en: `Topped up with “${name(e.names.memberGroup)}”${what.en}${order.en}${where.en}: ${signed(e, l)}${en}`,
  };
};

/**
 * From the perspective of one of the two accounts, naming each direction. With a channel it is an auto-distribution for a translation
 * through that channel.
 */
const distribution: Sentence = (e, l) => {
  const other = name(e.names.counterpart);
  const by = e.names.consumeChannel === null ? { zh: '', en: '' } : { zh: '自动', en: ' automatically' };
  const [out, back] = [amounts(lost(e), l), amounts(gained(e), l)];
  const parts: Bilingual[] = [];
  if (gives(e))
    parts.push(
      isMain(e)
        ? {
            zh: `${by.zh}分配给子账号「${other}」：${out}`,
            en: `Distributed${by.en} to the sub-account “${other}”: ${out}`,
          }
        : { zh: `主账号「${other}」取回：${out}`, en: `Taken back by the main account “${other}”: ${out}` },
    );
  if (takes(e))
    parts.push(
      isMain(e)
        ? { zh: `从子账号「${other}」取回：${back}`, en: `Taken back from the sub-account “${other}”: ${back}` }
        : {
            zh: `主账号「${other}」${by.zh}分配：${back}`,
            en: `Distributed${by.en} by the main account “${other}”: ${back}`,
          },
    );
  if (parts.length === 0) return { zh: '分配：数量不变', en: 'Distribution: nothing changed' };
  return { zh: parts.map((p) => p.zh).join('；'), en: parts.map((p) => p.en).join('; ') };
};

const recovery: Sentence = (e, l) =>
  isMain(e)
    ? {
        zh: `子账号「${name(e.names.counterpart)}」已删除，收回 ${amounts(e, l)}`,
        en: `The sub-account “${name(e.names.counterpart)}” was deleted: ${amounts(e, l)} came back`,
      }
    : {
        zh: `账号已删除，${amounts(e, l)} 退回主账号「${name(e.names.counterpart)}」`,
        en: `This account was deleted: ${amounts(e, l)} went back to the main account “${name(e.names.counterpart)}”`,
      };

const conversion =
  (why: Bilingual): Sentence =>
  (e, l) => {
    const { channelBefore: from, channelAfter: to } = e.names;
    const through = from === to || to === null ? '' : from === null ? `：${to}` : `：${name(from)} → ${to}`;
    const how = {
      zh: `${why.zh}${through}`,
      en: `${why.en}${through.replace('：', ': ')}`,
    };
    if (isNothing(e) && e.beforeBillingMode !== e.lastBillingMode) {
      const [before, after] = [BILLING_MODES[e.beforeBillingMode], BILLING_MODES[e.lastBillingMode]];
      return {
        zh: `${how.zh}，计费方式改变：${before.zh} → ${after.zh}，没有余量需要换算`,
        en: `${how.en}, billing changed: ${before.en} → ${after.en}, nothing was left to convert`,
      };
    }
    return {
      zh: `${how.zh}，按价格等值换算：${exchanged(e, l)}`,
      en: `${how.en}, converted at equal value: ${exchanged(e, l)}`,
    };
  };

const consumption =
  (what: Bilingual): Sentence =>
  (e, l) => {
    const channel = name(e.names.consumeChannel);
    // In time mode characters are free but counted (decisions §4).
    if (isNothing(e))
      return {
        zh: `${what.zh}（${channel}）：用量 ${number(e.usedCharNum)} 字符，包月期内不扣`,
        en: `${what.en} (${channel}): ${plural(e.usedCharNum, 'character', 'characters')}, free within the period`,
      };
    // Through another channel than the account's, a character of text costs more or less than one of the balance.
    if (e.charChange !== 0 && e.usedCharNum !== -e.charChange)
      return {
        zh: `${what.zh}（${channel}）：原文 ${number(e.usedCharNum)} 字符，按价格折合用去 ${amounts(e, l)}`,
        en: `${what.en} (${channel}): ${plural(e.usedCharNum, 'character', 'characters')} of text, ${amounts(e, l)} used at its price`,
      };
    return {
      zh: `${what.zh}（${channel}）：用去 ${amounts(e, l)}`,
      en: `${what.en} (${channel}): ${amounts(e, l)} used`,
    };
  };

const image = consumption({ zh: '图片翻译', en: 'Image translation' });

const SENTENCES: Record<Entry['type'], Sentence> = {
  RECHARGE_ORDER_BY_MEMBER_GROUP: recharge,
  SYS_MATRIX: conversion({
    zh: '购买其他通道或计费方式的套餐',
    en: 'A package of another channel or billing mode was bought',
  }),
  SYS_ADJUST: (e, l) => {
    const { zh, en } = byManager(e);
    const no = e.names.orderNo;
    // A refund takes back the quota of an order, or returns it if the gateway refused.
    if (no !== null && isNothing(gained(e)))
      return { zh: `订单 ${no} 退款：${signed(e, l)}${zh}`, en: `Refund of order ${no}: ${signed(e, l)}${en}` };
    if (no !== null)
      return {
        zh: `订单 ${no} 未能退款，额度退回：${signed(e, l)}${zh}`,
        en: `Order ${no} could not be refunded; its quota was returned: ${signed(e, l)}${en}`,
      };
    return { zh: `系统调整：${signed(e, l)}${zh}`, en: `Adjusted: ${signed(e, l)}${en}` };
  },
  RECOVERY: recovery,
  DISTRIBUTION: distribution,
  MATRIX: conversion({ zh: '更换翻译通道', en: 'The translation channel was changed' }),
  TRANSLATION_CONSUME: consumption({ zh: '文本翻译', en: 'Text translation' }),
  VOICE_CONSUME: consumption({ zh: '语音翻译', en: 'Voice translation' }),
  // OTHER is an image, or the gift of a new account, which uses no channel (decisions §4).
  OTHER: (e, l) =>
    e.imageChange < 0 || e.names.consumeChannel !== null
      ? image(e, l)
      : isNothing(e)
        ? { zh: '新会员试用：该邮箱此前已领取过', en: 'New member trial: this mailbox has already had one' }
        : { zh: `新会员试用：${signed(e, l)}`, en: `New member trial: ${signed(e, l)}` },
  INVITE_REWARD: (e, l) => ({
    zh: `通过邀请链接注册的奖励：${signed(e, l)}`,
    en: `Reward for registering through an invite link: ${signed(e, l)}`,
  }),
};
