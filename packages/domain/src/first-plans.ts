/** The price list that seeds a new database (decisions §3, §4; the sample of the price page). Afterwards the database is authoritative. */
import { CHANNELS } from './channels.js';
import { TRIAL_GROUP_ID, type BillingMode } from './plans.js';

type PlanRow = {
  id: number;
  name: string;
  enName: string;
  tier: string;
  mode: BillingMode;
  /** Characters, or minutes for time packages. */
  num: number;
  /** fen */
  price: number;
  voice: number;
  image: number;
  channel: number | null;
  /** The channel at whose price `num` applies. */
  reference: number;
};

/** `minutePrice`: micro-yuan. */
export type FirstPlan = PlanRow & { minutePrice: number; createChildUser: boolean; onSale: boolean };

const MONTH = 30 * 24 * 60;
const [GOOGLE, DEEPL, GPT] = [CHANNELS.google.id, CHANNELS.deepl.id, CHANNELS.chatgpt.id];

const PLAN_ROWS: readonly PlanRow[] = [
  // prettier-ignore
  { id: TRIAL_GROUP_ID, name: '免费试用', enName: 'Free trial', tier: 'trial', mode: 'char', num: 5_000, price: 0, voice: 20, image: 20, channel: null, reference: GOOGLE },
  // prettier-ignore
  { id: 2, name: '标准版', enName: 'Standard', tier: 'standard', mode: 'char', num: 2_000_000, price: 8_800, voice: 60, image: 60, channel: null, reference: GOOGLE },
  // prettier-ignore
  { id: 3, name: '专业版', enName: 'Professional', tier: 'professional', mode: 'char', num: 5_000_000, price: 19_800, voice: 150, image: 150, channel: null, reference: GOOGLE },
  // prettier-ignore
  { id: 4, name: '高级版', enName: 'Premium', tier: 'high', mode: 'char', num: 12_000_000, price: 39_800, voice: 400, image: 400, channel: null, reference: GOOGLE },
  // prettier-ignore
  { id: 5, name: 'AI 翻译版', enName: 'AI Translation', tier: 'ai', mode: 'char', num: 3_000_000, price: 25_800, voice: 200, image: 200, channel: null, reference: DEEPL },
  // prettier-ignore
  { id: 6, name: 'GPT 会员', enName: 'GPT Member', tier: 'gpt', mode: 'char', num: 4_000_000, price: 38_800, voice: 200, image: 200, channel: GPT, reference: GPT },
  // prettier-ignore
  { id: 7, name: '标准包月', enName: 'Standard Monthly', tier: 'standard', mode: 'time', num: MONTH, price: 12_800, voice: 60, image: 60, channel: null, reference: GOOGLE },
  // prettier-ignore
  { id: 8, name: '专业包月', enName: 'Professional Monthly', tier: 'professional', mode: 'time', num: MONTH, price: 19_800, voice: 150, image: 150, channel: null, reference: GOOGLE },
  // prettier-ignore
  { id: 9, name: 'GPT 包月', enName: 'GPT Monthly', tier: 'gpt', mode: 'time', num: MONTH, price: 32_800, voice: 200, image: 200, channel: GPT, reference: GPT },
];

const MICRO_YUAN_PER_FEN = 10_000;

/** The price of a minute, so that a conversion returns what was paid: at least 1 micro-yuan (decisions §4). */
const minutePriceOf = ({ mode, price, num }: PlanRow): number =>
  mode === 'time' ? Math.max(1, Math.floor((price * MICRO_YUAN_PER_FEN) / num)) : 1;

/** In display order. */
export const FIRST_PLANS: readonly FirstPlan[] = PLAN_ROWS.map((plan) => {
  const onSale = plan.id !== TRIAL_GROUP_ID;
  return { ...plan, minutePrice: minutePriceOf(plan), createChildUser: onSale && plan.mode === 'char', onSale };
});
