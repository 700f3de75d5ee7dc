import type { ActionName } from '@yiqiao/domain/operator-actions';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { CHANNELS, channelCodeOf } from '@yiqiao/domain/channels';
import { CHANGE_MAX } from '@yiqiao/domain/limits';
import { Refusal } from '@yiqiao/domain/errors';
import { z } from 'zod';
import { ChangePrices, worded } from '../../plans/change-prices.js';
import type { MemberGroup } from '../../plans/plans.js';
import { ActionLog } from '../action-log.js';
import { reasonOf } from './what-if-reason.js';
import type { Approved, Asked, RequestChange, RequestKind, RequestPreview } from '../requests/request-kind.js';

const INT4_MAX = 2 ** 31 - 1;
const whole = (least: number, most = INT4_MAX) =>
  z.int({ error: 'WRONG_TYPE' }).min(least, { error: 'WRONG_VALUE' }).max(most, { error: 'WRONG_VALUE' }).optional();

/**
 * What a request may change of a channel (`price`, micro-yuan per character) or of a plan (`salePrice` in fen). `whatIfId`: the what-if that
 * is its reason.
 */
const payload = z
  .strictObject({
    price: whole(1),
    salePrice: whole(0),
    minutePrice: whole(1),
    num: whole(1, CHANGE_MAX),
    voiceNum: whole(0),
    imageNum: whole(0),
    referenceChannelId: z
      .int({ error: 'WRONG_TYPE' })
      .refine((id) => channelCodeOf(id) !== null, { error: 'WRONG_VALUE' })
      .optional(),
    onSale: z.boolean({ error: 'WRONG_TYPE' }).optional(),
    whatIfId: whole(1, Number.MAX_SAFE_INTEGER),
  })
  .refine(({ whatIfId: _, ...change }) => Object.values(change).some((value) => value !== undefined), {
    error: 'REQUIRED',
  });
type Payload = z.output<typeof payload>;

const LABELS = {
  price: { zh: '换算价（微元/字符）', en: 'Price (micro-yuan per character)' },
  salePrice: { zh: '售价', en: 'Price' },
  minutePrice: { zh: '分钟价（微元）', en: 'Minute price (micro-yuan)' },
  num: { zh: '数量', en: 'Size' },
  voiceNum: { zh: '语音', en: 'Voice' },
  imageNum: { zh: '图片', en: 'Pictures' },
  referenceChannelId: { zh: '参考通道', en: 'Reference channel' },
  onSale: { zh: '在售', en: 'On sale' },
} as const satisfies Record<Exclude<keyof Payload, 'whatIfId'>, { zh: string; en: string }>;

const YES = { zh: '是', en: 'Yes' };
const NO = { zh: '否', en: 'No' };

/** `channel:deepl` or `plan:3`. */
type Target = { readonly kind: 'channel' | 'plan'; readonly id: string };

function targetOf(given: string): Target {
  const [, kind, id = ''] = /^(channel|plan):([a-z]{1,20}|[1-9]\d{0,8})$/.exec(given) ?? [];
  if (kind === 'channel') {
    const code = channelCodeOf(Number(id)) ?? id;
    if (Object.hasOwn(CHANNELS, code)) return { kind, id: code };
  }
  if (kind === 'plan' && /^\d+$/.test(id)) return { kind, id };
  throw new Refusal('NOT_FOUND');
}

/** Another price of a channel or a plan: a second operator decides (operators §4). */
@Injectable()
export class ChangePrice implements RequestKind<Payload> {
  readonly kind = 'price.change';
  readonly targetKind = 'price';
  readonly payload = payload;

  constructor(
    private readonly prices: ChangePrices,
    private readonly actions: ActionLog,
  ) {}

  async target(em: EntityManager, given: string): Promise<string> {
    const { kind, id } = targetOf(given);
    await (kind === 'channel' ? this.prices.seeChannel(em, id, {}) : this.prices.seePlan(em, Number(id), {}));
    return `${kind}:${id}`;
  }

  async preview(em: EntityManager, { target, payload: change }: Asked<Payload>): Promise<RequestPreview> {
    const { kind, id } = targetOf(target);
    const { whatIfId, ...values } = change;
    const reason = whatIfId === undefined ? null : await reasonOf(em, whatIfId, { kind, id, change: values });
    const { name, enName, changes } =
      kind === 'channel' ? await this.#channel(em, id, change) : await this.#plan(em, Number(id), change);
    // Nothing would change any more, or ever.
    if (changes.length === 0) throw new Refusal('PRICE_UNCHANGED');
    const [first] = changes;
    const only = first && changes.length === 1 ? arrowOf(first) : null;
    const of = kind === 'channel' ? { zh: '通道', en: 'channel' } : { zh: '套餐', en: 'plan' };
    return {
      title: {
        zh: `改价：${of.zh}「${name}」${only?.zh ?? ''}`,
        en: `Change the price of ${of.en} ${enName}${only?.en ?? ''}`,
      },
      subject: { zh: name, en: enName },
      amount: null,
      facts: [...changes.map(({ label, after }) => ({ label, value: after })), ...(reason?.facts ?? [])],
      changes,
      checks: [
        {
          state: 'note',
          text:
            kind === 'channel'
              ? {
                  zh: '从下一次换通道和购买起按新价折算，已有额度不变',
                  en: 'Applies from the next change of channel or purchase. Balances stay.',
                }
              : { zh: '已下的订单按原价', en: 'Orders that were placed keep their price.' },
        },
        ...(reason?.checks ?? []),
      ],
    };
  }

  async carryOut(em: EntityManager, { target, payload: change }: Asked<Payload>, approved: Approved): Promise<void> {
    const { kind, id } = targetOf(target);
    const author = {
      managerId: approved.maker.managerId,
      reason: approved.reason,
      log: (inner: EntityManager, logged: object & { action: ActionName }) =>
        this.actions.record(inner, approved.actor, { ...logged, approvalId: approved.approvalId }),
    };
    if (kind === 'channel') await this.prices.changeChannel(em, { which: id, change: channelChange(change) }, author);
    else await this.prices.changePlan(em, { id: Number(id), change: planChange(change) }, author);
  }

  async #channel(em: EntityManager, which: string, change: Payload) {
    const { was, will } = await this.prices.seeChannel(em, which, channelChange(change));
    return { name: was.name, enName: was.enName, changes: changesOf({ price: was.price }, { price: will.price }) };
  }

  async #plan(em: EntityManager, id: number, change: Payload) {
    const { was, will } = await this.prices.seePlan(em, id, planChange(change));
    return { name: was.name, enName: was.enName, changes: changesOf(worded(was), worded(will)) };
  }
}

/** Throws VALIDATION_FAILED for what only a plan has. */
function channelChange({ price, whatIfId: _, ...rest }: Payload): { price?: number } {
  if (Object.values(rest).some((value) => value !== undefined)) throw wrong();
  return price === undefined ? {} : { price };
}

function planChange({ price, whatIfId: _, ...change }: Payload): Partial<MemberGroup> {
  if (price !== undefined) throw wrong();
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

const wrong = (): Refusal => new Refusal('VALIDATION_FAILED', { errors: [{ path: 'payload', code: 'WRONG_VALUE' }] });

function changesOf(was: Record<string, unknown>, will: Record<string, unknown>): RequestChange[] {
  return (Object.keys(LABELS) as (keyof typeof LABELS)[])
    .filter((name) => was[name] !== will[name])
    .map((name) => ({ label: LABELS[name], before: valueOf(name, was[name]), after: valueOf(name, will[name]) }));
}

/** ` ¥398.00 → ¥388.00` */
function arrowOf({ before, after }: RequestChange): { zh: string; en: string } {
  const text = (value: RequestChange['before'], language: 'zh' | 'en'): string =>
    typeof value === 'object' && value !== null ? value[language] : String(value ?? '—');
  return { zh: ` ${text(before, 'zh')} → ${text(after, 'zh')}`, en: `: ${text(before, 'en')} → ${text(after, 'en')}` };
}

function valueOf(name: keyof typeof LABELS, value: unknown): RequestChange['before'] {
  if (typeof value === 'boolean') return value ? YES : NO;
  if (typeof value !== 'number') return null;
  if (name === 'salePrice') return `¥${(value / 100).toFixed(2)}`;
  const code = name === 'referenceChannelId' ? channelCodeOf(value) : null;
  return code === null ? value : { zh: CHANNELS[code].name, en: CHANNELS[code].enName };
}
