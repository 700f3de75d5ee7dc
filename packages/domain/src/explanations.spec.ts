import { describe, expect, it } from '@jest/globals';
import { changeTag, explainEntry, type EntryNames, type Explainable } from './explanations.js';
import { ENTRY_TYPES, type EntryType } from './ledger.js';

const names: EntryNames = {
  memberGroup: null,
  orderNo: null,
  bought: null,
  consumeChannel: null,
  channelBefore: 'DeepL',
  channelAfter: 'DeepL',
  counterpart: null,
  manager: null,
  reason: null,
};

type Given = Partial<Omit<Explainable, 'names'>> & { type: EntryType; names?: Partial<EntryNames> };

const told = (given: Given): { zh: string; en: string } => {
  const nothing = {
    charChange: 0,
    minChange: 0,
    voiceChange: 0,
    imageChange: 0,
    usedCharNum: 0,
    userId: 1,
    familyId: 1,
    beforeBillingMode: 'char',
    lastBillingMode: 'char',
  } as const;
  const entry = { ...nothing, ...given, names: { ...names, ...given.names } };
  return { zh: explainEntry(entry, 'zh'), en: explainEntry(entry, 'en') };
};

describe('the explanation of an entry', () => {
  it('names the package, order and operator of a recharge', () => {
    const bought = { charChange: 2_000_000, voiceChange: 60, imageChange: 1 };
    const paid = { memberGroup: '标准版', orderNo: 'YQ1' };
    expect(told({ type: 'RECHARGE_ORDER_BY_MEMBER_GROUP', ...bought, names: paid })).toEqual({
      zh: '充值「标准版」，订单 YQ1：增加 2,000,000 字符、60 次语音、1 张图片',
      en: 'Topped up with “标准版”, order YQ1: 2,000,000 characters, 60 voice uses, 1 image added',
    });
    const granted = { memberGroup: 'Monthly', manager: '周敏', reason: '客服补偿' };
    const elsewhere = { ...paid, bought: { num: 2_000_000, reference: '谷歌翻译' }, channelAfter: 'ChatGPT' };
    expect(told({ type: 'RECHARGE_ORDER_BY_MEMBER_GROUP', ...bought, names: elsewhere })).toEqual(
      told({ type: 'RECHARGE_ORDER_BY_MEMBER_GROUP', ...bought, names: paid }),
    );
    expect(told({ type: 'RECHARGE_ORDER_BY_MEMBER_GROUP', charChange: 833_333, names: elsewhere })).toEqual({
      zh: '充值「标准版」（2,000,000 字符，按谷歌翻译的价格），订单 YQ1，等值换算到 ChatGPT：增加 833,333 字符',
      en: 'Topped up with “标准版” (2,000,000 characters at the price of 谷歌翻译), order YQ1, converted at equal value to ChatGPT: 833,333 characters added',
    });
    expect(told({ type: 'RECHARGE_ORDER_BY_MEMBER_GROUP', minChange: 43_201, names: granted })).toEqual({
      zh: '充值「Monthly」：增加 30 天 1 分钟（管理员 周敏，原因：客服补偿）',
      en: 'Topped up with “Monthly”: 30 days 1 minute added (operator 周敏, because: 客服补偿)',
    });
  });

  it('names the order of a refund', () => {
    const refund = { type: 'SYS_ADJUST', names: { orderNo: 'YQ1', manager: 'Zhou', reason: 'asked for' } } as const;
    expect(told({ ...refund, charChange: -5, minChange: -1440 })).toEqual({
      zh: '订单 YQ1 退款：减少 5 字符、1 天（管理员 Zhou，原因：asked for）',
      en: 'Refund of order YQ1: 5 characters, 1 day taken off (operator Zhou, because: asked for)',
    });
    expect(told({ ...refund, charChange: 5 }).en).toBe(
      'Order YQ1 could not be refunded; its quota was returned: 5 characters added (operator Zhou, because: asked for)',
    );
  });

  it('describes a movement from the reader’s side', () => {
    const main = { type: 'DISTRIBUTION', names: { counterpart: '日韩组' } } as const;
    const sub = { type: 'DISTRIBUTION', userId: 2, names: { counterpart: '林岚' } } as const;
    expect(told({ ...main, charChange: -100 }).zh).toBe('分配给子账号「日韩组」：100 字符');
    expect(told({ ...sub, charChange: 100 }).zh).toBe('主账号「林岚」分配：100 字符');
    const unasked = { consumeChannel: 'DeepL' };
    expect(told({ ...main, charChange: -10_000, names: { ...main.names, ...unasked } })).toEqual({
      zh: '自动分配给子账号「日韩组」：10,000 字符',
      en: 'Distributed automatically to the sub-account “日韩组”: 10,000 characters',
    });
    expect(told({ ...sub, charChange: 10_000, names: { ...sub.names, ...unasked } })).toEqual({
      zh: '主账号「林岚」自动分配：10,000 字符',
      en: 'Distributed automatically by the main account “林岚”: 10,000 characters',
    });
    expect(told({ ...main, charChange: -1, imageChange: 3 }).en).toBe(
      'Distributed to the sub-account “日韩组”: 1 character; Taken back from the sub-account “日韩组”: 3 images',
    );
    expect(told({ ...sub, voiceChange: -2 }).en).toBe('Taken back by the main account “林岚”: 2 voice uses');
    expect(told({ type: 'RECOVERY', charChange: 7, names: { counterpart: null } }).zh).toBe(
      '子账号「–」已删除，收回 7 字符',
    );
    expect(told({ type: 'RECOVERY', userId: 2, names: { counterpart: '林岚' } }).zh).toBe(
      '账号已删除，数量不变 退回主账号「林岚」',
    );
  });

  it('describes both sides of a conversion', () => {
    const to = { channelBefore: '谷歌翻译', channelAfter: 'DeepL' };
    expect(told({ type: 'MATRIX', charChange: -500, names: to })).toEqual({
      zh: '更换翻译通道：谷歌翻译 → DeepL，按价格等值换算：减少 500 字符',
      en: 'The translation channel was changed: 谷歌翻译 → DeepL, converted at equal value: 500 characters taken off',
    });
    expect(told({ type: 'SYS_MATRIX', charChange: 900_000, minChange: -18_720 }).zh).toBe(
      '购买其他通道或计费方式的套餐，按价格等值换算：13 天 → 900,000 字符',
    );
    // Nothing was there to convert, yet the billing is another.
    expect(told({ type: 'SYS_MATRIX', lastBillingMode: 'time' })).toEqual({
      zh: '购买其他通道或计费方式的套餐，计费方式改变：按字符 → 按时长，没有余量需要换算',
      en: 'A package of another channel or billing mode was bought, billing changed: per character → per period, nothing was left to convert',
    });
    expect(told({ type: 'MATRIX', names: to }).zh).toBe('更换翻译通道：谷歌翻译 → DeepL，按价格等值换算：数量不变');
  });

  it('describes usage, and that it is free within a period', () => {
    const through = { consumeChannel: 'DeepL' };
    expect(told({ type: 'TRANSLATION_CONSUME', charChange: -186, usedCharNum: 186, names: through }).zh).toBe(
      '文本翻译（DeepL）：用去 186 字符',
    );
    expect(told({ type: 'TRANSLATION_CONSUME', charChange: -54, usedCharNum: 9, names: through })).toEqual({
      zh: '文本翻译（DeepL）：原文 9 字符，按价格折合用去 54 字符',
      en: 'Text translation (DeepL): 9 characters of text, 54 characters used at its price',
    });
    expect(told({ type: 'TRANSLATION_CONSUME', usedCharNum: 1, names: through })).toEqual({
      zh: '文本翻译（DeepL）：用量 1 字符，包月期内不扣',
      en: 'Text translation (DeepL): 1 character, free within the period',
    });
    expect(told({ type: 'VOICE_CONSUME', voiceChange: -1, names: through }).en).toBe(
      'Voice translation (DeepL): 1 voice use used',
    );
    expect(told({ type: 'OTHER', imageChange: -1, names: through }).zh).toBe('图片翻译（DeepL）：用去 1 张图片');
  });

  it('covers gifts and adjustments', () => {
    expect(told({ type: 'OTHER', charChange: 5_000, imageChange: 20 }).zh).toBe(
      '新会员试用：增加 5,000 字符、20 张图片',
    );
    expect(told({ type: 'OTHER' }).zh).toBe('新会员试用：该邮箱此前已领取过');
    expect(told({ type: 'INVITE_REWARD', charChange: 10_000 }).en).toBe(
      'Reward for registering through an invite link: 10,000 characters added',
    );
    const by = { manager: 'Zhou', reason: 'double charge' };
    expect(told({ type: 'SYS_ADJUST', charChange: 5, voiceChange: -1, names: by }).en).toBe(
      'Adjusted: 5 characters added, 1 voice use taken off (operator Zhou, because: double charge)',
    );
  });

  it.each(Object.keys(ENTRY_TYPES) as EntryType[])(
    '%s has an explanation in both languages, whatever changed',
    (type) => {
      for (const charChange of [-3, 0, 3])
        for (const userId of [1, 2]) {
          const { zh, en } = told({ type, userId, charChange });
          expect(zh).toMatch(/^\p{Script=Han}/u);
          expect(en).toMatch(/^[A-Z]/);
          expect(zh + en).not.toMatch(/undefined|null|NaN/);
        }
    },
  );
});

describe('the tag', () => {
  it.each([
    [{ charChange: 1 }, 'add'],
    [{ voiceChange: -1 }, 'decrease'],
    [{ charChange: -1, minChange: 5 }, 'transfer'],
    [{ charChange: 1, minChange: -5, voiceChange: 3 }, 'transfer'],
    [{ charChange: 1, imageChange: -1 }, 'decrease'],
    [{}, 'none'],
  ] as const)('%j is %s', (changes, tag) => {
    expect(changeTag({ charChange: 0, minChange: 0, voiceChange: 0, imageChange: 0, ...changes })).toBe(tag);
  });
});
