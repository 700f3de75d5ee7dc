/** Changes of prices that nobody has asked for yet. They live in the address, so a link to a draft is an argument (OPERATOR.md §2). */
import type { Response } from '@yiqiao/contracts/endpoint';
import type { listPrices, PRICE_FIELDS } from '@yiqiao/contracts/operator/prices';

export type Prices = Response<typeof listPrices>;
export type Field = (typeof PRICE_FIELDS)[number] | 'onSale';
export type Values = Partial<Record<Field, number>>;

/** What has a price, as it is today. `onSale`: 1 or 0. */
export type Subject = {
  kind: 'channel' | 'plan';
  /** Of a channel its code. */
  id: string;
  /** `channel:deepl`, `plan:3`: what a request names it. */
  target: string;
  name: string;
  billingMode: 'char' | 'time' | null;
  values: Values;
  /** The open request that would change it. */
  request: number | null;
};

export type Change = { subject: Subject; field: Field; was: number; will: number };

/** The parameter of the address; one for each change: `plan-3-salePrice-21800`. */
export const DRAFT = 'draft';

const PLAN_FIELDS = ['salePrice', 'num', 'voiceNum', 'imageNum', 'referenceChannelId', 'onSale'] as const;

export function subjectsOf({ plans, channels }: Prices): Subject[] {
  const ofPlans = plans.map(({ id, name, billingMode, request, onSale, ...plan }): Subject => {
    const all = { ...plan, onSale: onSale ? 1 : 0 };
    const values: Values = Object.fromEntries(PLAN_FIELDS.map((field) => [field, all[field]]));
    if (billingMode === 'time') values.minutePrice = plan.minutePrice;
    return { kind: 'plan', id: String(id), target: `plan:${id}`, name, billingMode, values, request };
  });
  const ofChannels = channels.map(({ code, name, price, request }): Subject => ({
    ...{ kind: 'channel', id: code, target: `channel:${code}`, name, billingMode: null, values: { price }, request },
  }));
  return [...ofPlans, ...ofChannels];
}

const LEAST: Partial<Record<Field, number>> = { voiceNum: 0, imageNum: 0, onSale: 0 };

/** What the address asks for and the price list does not say already, in the order of the list. */
export function readDraft(given: readonly string[], subjects: readonly Subject[]): Change[] {
  const asked = new Map<string, number>(
    given.flatMap((text) => {
      const [, kind, id, field, value] = /^(plan|channel)-([a-z\d]{1,20})-(\w{1,20})-(\d{1,12})$/.exec(text) ?? [];
      return kind && id && field && value ? [[`${kind}:${id} ${field}`, Number(value)] as const] : [];
    }),
  );
  return subjects.flatMap((subject) =>
    (Object.entries(subject.values) as [Field, number][]).flatMap(([field, was]) => {
      const will = asked.get(`${subject.target} ${field}`);
      return will === undefined || will === was || will < (LEAST[field] ?? 1) || subject.request !== null
        ? []
        : [{ subject, field, was, will }];
    }),
  );
}

export const writeDraft = (changes: readonly Change[]): string[] =>
  changes.map(({ subject: { kind, id }, field, will }) => `${kind}-${id}-${field}-${will}`);

/** With the values of one subject; those of today leave the draft. */
export const withValues = (changes: readonly Change[], subject: Subject, values: Values): Change[] => [
  ...changes.filter((change) => change.subject.target !== subject.target || values[change.field] === undefined),
  ...(Object.entries(values) as [Field, number][]).flatMap(([field, will]) => {
    const was = subject.values[field];
    return was === undefined || was === will ? [] : [{ subject, field, was, will }];
  }),
];

export const valuesOf = (changes: readonly Change[], target: string): Values =>
  Object.fromEntries(
    changes.filter(({ subject }) => subject.target === target).map(({ field, will }) => [field, will]),
  );

/** What a replay can tell: neither which plans are offered nor by which channel a later purchase is converted. */
const REPLAYED: ReadonlySet<Field> = new Set(['price', 'salePrice', 'minutePrice', 'num', 'voiceNum', 'imageNum']);
export const isReplayed = ({ field }: Change): boolean => REPLAYED.has(field);

type Replayed = { channels: Record<string, number>; plans: Record<string, Values> };

/** The draft as a what-if takes it. */
export function replayOf(changes: readonly Change[]): Replayed {
  const replay: Replayed = { channels: {}, plans: {} };
  for (const { subject, field, will } of changes.filter(isReplayed))
    if (subject.kind === 'channel') replay.channels[subject.id] = will;
    else (replay.plans[subject.id] ??= {})[field] = will;
  return replay;
}

/** Whether a run replayed this change, maybe with others. */
export const wasReplayed = (
  { subject, field, will }: Change,
  run: { channels: Record<string, number | undefined>; plans: Record<string, Values | undefined> },
): boolean => (subject.kind === 'channel' ? run.channels[subject.id] : run.plans[subject.id]?.[field]) === will;

/** One request for each subject; `whatIfId` where the run replayed all that is asked for. */
export function requestsOf(
  changes: readonly Change[],
  run: { id: number; changes: Parameters<typeof wasReplayed>[1] } | null,
): { target: string; payload: Record<string, number | boolean> }[] {
  const targets = [...new Set(changes.map(({ subject }) => subject.target))];
  return targets.map((target) => {
    const own = changes.filter(({ subject }) => subject.target === target);
    const payload: Record<string, number | boolean> = Object.fromEntries(
      own.map(({ field, will }) => [field, field === 'onSale' ? will === 1 : will]),
    );
    if (run && own.every((change) => wasReplayed(change, run.changes))) payload['whatIfId'] = run.id;
    return { target, payload };
  });
}
