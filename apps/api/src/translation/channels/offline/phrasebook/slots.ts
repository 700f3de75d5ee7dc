import { acting } from './actions.js';
import { duration, money, number, percent, quantity } from './amounts.js';
import { date } from './dates.js';
import { goods } from './goods.js';
import {
  type Context,
  listed,
  type Reader,
  type Reading,
  type Slot,
  type SlotKind,
  type SlotReader,
  type SlotValue,
} from './tables.js';

/** Reads slots in one text; the same slot at the same place is read once. */
export function slotReader(context: Context): SlotReader {
  const known = new Map<string, readonly Reading[]>();
  return (slot, at) => {
    const key = `${slot.kind}:${slot.form}${at}`;
    const found = known.get(key) ?? readingsOf(context, slot, at);
    known.set(key, found);
    return found;
  };
}

/** A term of the member's glossary may stand wherever a thing is named. */
function readingsOf(context: Context, { kind, form }: Slot, at: number): readonly Reading[] {
  const term = context.tokens[at]?.text ?? '';
  const isTerm = /^\{\d+\}$/.test(term) && TERM_KINDS.has(kind);
  return isTerm
    ? [{ end: at + 1, value: same(term) }]
    : [...READERS[kind](context, at, form)].sort((a, b) => b.end - a.end);
}

const TERM_KINDS: ReadonlySet<SlotKind> = new Set(['goods', 'material', 'color', 'size', 'place', 'carrier', 'name']);

const same =
  (text: string): SlotValue =>
  () =>
    text;

const order: Reader = ({ tokens }, at) => {
  const sign = tokens[at]?.norm === '#' ? 1 : 0;
  const { norm = '', text = '' } = tokens[at + sign] ?? {};
  return /\d/.test(norm) && norm.length >= 4 ? [{ end: at + sign + 1, value: same(text) }] : [];
};

/** Names are recognised only where they are written as names: capitals, or a surname with its title. */
const TITLES: Readonly<Record<string, string>> = { 先生: 'Mr.', 女士: 'Ms.', 小姐: 'Miss' };

const name: Reader = function* ({ tongue, tokens }, at) {
  let end = at;
  while (end < at + 3 && /^\p{Lu}\p{Ll}+$/u.test(tokens[end]?.text ?? '')) {
    end += 1;
    const text = tokens.slice(at, end).map((token) => token.text).join(' '); // prettier-ignore
    yield { end, value: same(text) };
  }
  if (tongue !== 'zh' || !/\p{Script=Han}/u.test(tokens[at]?.norm ?? '')) return;
  for (const [title, english] of Object.entries(TITLES)) {
    if (tokens[at + 1]?.norm !== title[0] || tokens[at + 2]?.norm !== title[1]) continue;
    const surname = tokens[at]?.text ?? '';
    yield { end: at + 3, value: (target) => (target === 'zh' ? surname + title : `${english} ${surname}`) };
  }
};

const READERS: Readonly<Record<SlotKind, Reader>> = {
  goods,
  size: listed('size'),
  color: listed('color'),
  material: listed('material'),
  place: listed('place'),
  carrier: listed('carrier'),
  number,
  money,
  percent,
  quantity,
  duration,
  date,
  order,
  name,
  service: acting('service'),
  act: acting('act'),
  case: acting('case'),
  outcome: acting('outcome'),
};
