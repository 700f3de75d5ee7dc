/** What happened to a member's balances between two moments, in words that an operator can send them. */
import { ENTRY_TYPES, type EntryType } from './ledger.js';

type Quantities = Record<'charNum' | 'voiceNum' | 'imageNum', number>;
type Language = 'zh' | 'en';

/** Entries of one type with one cause; `label`: the other member, the order or the operator. */
type Cause = Quantities & {
  type: EntryType;
  kind: 'order' | 'member' | 'operator' | 'day' | 'entry';
  label: string;
  entries: number;
};

export type DifferenceStory = {
  from: string;
  to: string;
  before: Quantities;
  after: Quantities;
  causes: readonly Cause[];
};

const QUANTITIES = {
  charNum: { zh: '字符', en: 'characters' },
  voiceNum: { zh: '语音次数', en: 'voice uses' },
  imageNum: { zh: '图片张数', en: 'images' },
} as const satisfies Record<keyof Quantities, Record<Language, string>>;

const number = (n: number): string => Math.abs(n).toLocaleString('en-US');

/** A cause as the member knows it: the operator is “we”, without a name. */
function nameOf({ type, kind, label }: Cause, l: Language): string {
  if (kind === 'member')
    return l === 'zh' ? `与「${label}」之间的${ENTRY_TYPES[type].zh}` : `moves between you and “${label}”`;
  if (kind === 'order') {
    const isRecharge = type === 'RECHARGE_ORDER_BY_MEMBER_GROUP';
    if (l === 'zh') return `${isRecharge ? '充值' : '退款'}（订单 ${label}）`;
    return `${isRecharge ? 'the recharge' : 'the refund'} of order ${label}`;
  }
  if (kind === 'operator') return l === 'zh' ? '我们为你做的调整' : 'adjustments that we made';
  return l === 'zh' ? ENTRY_TYPES[type].zh : ENTRY_TYPES[type].en.toLowerCase();
}

function sentence({ before, after, causes }: DifferenceStory, of: keyof Quantities, l: Language): string {
  const sums = new Map<string, { sum: number; entries: number }>();
  for (const cause of causes) {
    if (cause[of] === 0) continue;
    const name = nameOf(cause, l);
    const { sum, entries } = sums.get(name) ?? { sum: 0, entries: 0 };
    sums.set(name, { sum: sum + cause[of], entries: entries + cause.entries });
  }
  const change = after[of] - before[of];
  const balances = [number(before[of]), number(after[of])] as const;
  if (l === 'zh') {
    const parts = [...sums].map(([name, { sum, entries }]) => {
      const times = entries === 1 ? '' : `（${number(entries)} 次）`;
      return sum === 0 ? `${name}先后相抵${times}` : `${name}${sum < 0 ? '减少' : '增加'} ${number(sum)}${times}`;
    });
    const total = change === 0 ? '总数不变' : `${change < 0 ? '少了' : '多了'} ${number(change)}`;
    return `你的${QUANTITIES[of].zh}从 ${balances[0]} 变为 ${balances[1]}，${total}。其中${parts.join('，')}。`;
  }
  const parts = [...sums].map(([name, { sum, entries }]) => {
    const times = entries === 1 ? '' : ` (${number(entries)} times)`;
    return sum === 0 ? `${name} cancelled out${times}` : `${name} ${sum < 0 ? 'took' : 'added'} ${number(sum)}${times}`;
  });
  const total = change === 0 ? 'the same in total' : `${number(change)} ${change < 0 ? 'fewer' : 'more'}`;
  return `Your ${QUANTITIES[of].en} went from ${balances[0]} to ${balances[1]}, ${total}: ${parts.join('; ')}.`;
}

/** The story in one paragraph. Only quantities that changed are spoken of; operators' names are not in it. */
export function storyOf(story: DifferenceStory, l: Language): string {
  const changed = (Object.keys(QUANTITIES) as (keyof Quantities)[]).filter((of) =>
    story.causes.some((cause) => cause[of] !== 0),
  );
  const said = changed.map((of) => sentence(story, of, l));
  const [a, b] = [story.from.slice(0, 16), story.to.slice(0, 16)];
  if (l === 'zh')
    return said.length === 0 ? `从 ${a} 到 ${b}，你的余量没有变动。` : `从 ${a} 到 ${b}：${said.join('')}`;
  return said.length === 0 ? `From ${a} to ${b}, your balance did not change.` : `From ${a} to ${b}: ${said.join(' ')}`;
}
