/** Two moments: causes in groups, the geometry of the waterfall, and what to tell the member. */
import type { Response } from '@yiqiao/contracts/endpoint';
import type { getDifference } from '@yiqiao/contracts/operator/accounts';

export type Difference = Response<typeof getDifference>;
export type Part = Difference['parts'][number];
export type Quantity = 'charNum' | 'voiceNum' | 'imageNum';
export const QUANTITIES: readonly Quantity[] = ['charNum', 'voiceNum', 'imageNum'];

export type Group = Record<Quantity, number> & {
  key: string;
  type: Part['type'];
  kind: Part['cause']['kind'];
  /** A member, an order, an operator; of use, nothing: its days are the parts. */
  label: string;
  entries: number;
  parts: Part[];
};

/** One group for each cause; the days of one kind of use are together. The largest difference comes first, the operators' last. */
export function groupsOf(parts: readonly Part[], by: Quantity): Group[] {
  const groups = new Map<string, Group>();
  for (const part of parts) {
    const { kind, ref, label } = part.cause;
    const key = kind === 'day' ? part.type : `${part.type} ${kind} ${ref}`;
    const group = groups.get(key) ?? {
      key,
      type: part.type,
      kind,
      label: kind === 'day' ? '' : label,
      entries: 0,
      charNum: 0,
      voiceNum: 0,
      imageNum: 0,
      parts: [],
    };
    group.entries += part.entries;
    for (const quantity of QUANTITIES) group[quantity] += part[quantity];
    group.parts.push(part);
    groups.set(key, group);
  }
  return [...groups.values()].toSorted(
    (a, b) => Number(isHand(a)) - Number(isHand(b)) || Math.abs(b[by]) - Math.abs(a[by]) || b.entries - a.entries,
  );
}

export const isHand = ({ kind }: { kind: Group['kind'] }): boolean => kind === 'operator';

export const totalOf = (parts: readonly Record<Quantity, number>[], quantity: Quantity): number =>
  parts.reduce((sum, part) => sum + part[quantity], 0);

/** What no part accounts for. Anything but zero is an error of the ledger or of this page. */
export const unattributed = ({ difference, parts }: Difference, quantity: Quantity): number =>
  difference[quantity] - totalOf(parts, quantity);

/** A bar from `from` to `to`; in per cent of the width and in pixels from the top. */
type Bar = { key: string; left: number; width: number; top: number; height: number; from: number; to: number };

/** Balances at both ends, and between them each change from where the last one ended. */
export function waterfall(
  { from, to }: { from: number; to: number },
  changes: readonly { key: string; change: number }[],
  height: number,
): { start: Bar; bars: Bar[]; end: Bar } {
  const levels = [from];
  for (const { change } of changes) levels.push((levels.at(-1) ?? 0) + change);
  const most = Math.max(1, to, ...levels);
  const least = Math.min(0, to, ...levels);
  const y = (value: number): number => height - ((value - least) / (most - least)) * height;
  const slot = 100 / (changes.length + 2);
  const bar = (key: string, i: number, [a, b]: [number, number], share: number): Bar => ({
    key,
    left: slot * i + (slot * (1 - share)) / 2,
    width: slot * share,
    top: Math.min(y(a), y(b)),
    height: Math.max(1.5, Math.abs(y(a) - y(b))),
    from: a,
    to: b,
  });
  return {
    start: bar('from', 0, [0, from], 0.85),
    bars: changes.map(({ key, change }, i) => bar(key, i + 1, [levels[i] ?? 0, (levels[i] ?? 0) + change], 0.4)),
    end: bar('to', changes.length + 1, [0, to], 0.85),
  };
}

/** The largest changes singly, the rest as one. */
export function shownChanges(
  groups: readonly Group[],
  by: Quantity,
  most = 7,
): { key: string; change: number; group: Group | null }[] {
  const changed = groups.filter((group) => group[by] !== 0);
  const single = changed.length <= most ? changed : changed.slice(0, most - 1);
  const rest = changed.slice(single.length);
  const changes = [
    ...single.map((group) => ({ key: group.key, change: group[by], group })),
    ...(rest.length > 0 ? [{ key: 'rest', change: totalOf(rest, by), group: null }] : []),
  ];
  // What rose comes first, so that no level on the way is below zero.
  return changes.toSorted((a, b) => Math.sign(b.change) - Math.sign(a.change));
}

const CELLS = /[",\n]|^[=+\-@]/;
const cell = (value: string | number): string => {
  const text = String(value);
  // A spreadsheet must not take a name for a formula.
  if (typeof value === 'string' && CELLS.test(text))
    return `"${/^[=+\-@]/.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
  return text;
};

/** Every part as a line, for a spreadsheet. */
export const csvOf = ({ parts, difference }: Difference): string =>
  [
    ['type', 'cause', 'ref', 'label', 'entries', ...QUANTITIES, 'amount_fen'],
    ...parts.map((part) => [
      part.type,
      part.cause.kind,
      part.cause.ref,
      part.cause.label,
      part.entries,
      ...QUANTITIES.map((quantity) => part[quantity]),
      part.amount,
    ]),
    ['difference', '', '', '', '', ...QUANTITIES.map((quantity) => difference[quantity]), difference.amount],
  ]
    .map((line) => line.map(cell).join(','))
    .join('\r\n');
