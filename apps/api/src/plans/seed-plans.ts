import type { EntityManager } from '@mikro-orm/postgresql';
import { CHANNEL_CODES, CHANNELS } from '@yiqiao/domain/channels';
import { billingModeCode } from '@yiqiao/domain/ledger';
import { TRIAL_GROUP_ID, type BillingMode } from '@yiqiao/domain/plans';

type Group = {
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
};

const MONTH = 30 * 24 * 60;
const GPT = CHANNELS.chatgpt.id;

/** The price list to begin with (decisions §3, §4; the sample of the price page). Afterwards the rows are the truth. */
const GROUPS: readonly Group[] = [
  // prettier-ignore
  { id: TRIAL_GROUP_ID, name: '免费试用', enName: 'Free trial', tier: 'trial', mode: 'char', num: 5_000, price: 0, voice: 20, image: 20, channel: null },
  // prettier-ignore
  { id: 2, name: '标准版', enName: 'Standard', tier: 'standard', mode: 'char', num: 2_000_000, price: 8_800, voice: 60, image: 60, channel: null },
  // prettier-ignore
  { id: 3, name: '专业版', enName: 'Professional', tier: 'professional', mode: 'char', num: 5_000_000, price: 19_800, voice: 150, image: 150, channel: null },
  // prettier-ignore
  { id: 4, name: '高级版', enName: 'High', tier: 'high', mode: 'char', num: 12_000_000, price: 39_800, voice: 400, image: 400, channel: null },
  // prettier-ignore
  { id: 5, name: 'AI 翻译版', enName: 'AI Translation', tier: 'ai', mode: 'char', num: 3_000_000, price: 25_800, voice: 200, image: 200, channel: null },
  // prettier-ignore
  { id: 6, name: 'GPT 会员', enName: 'GPT Member', tier: 'gpt', mode: 'char', num: 4_000_000, price: 38_800, voice: 200, image: 200, channel: GPT },
  // prettier-ignore
  { id: 7, name: '标准包月', enName: 'Standard Monthly', tier: 'standard', mode: 'time', num: MONTH, price: 12_800, voice: 60, image: 60, channel: null },
  // prettier-ignore
  { id: 8, name: '专业包月', enName: 'Professional Monthly', tier: 'professional', mode: 'time', num: MONTH, price: 19_800, voice: 150, image: 150, channel: null },
  // prettier-ignore
  { id: 9, name: 'GPT 包月', enName: 'GPT Monthly', tier: 'gpt', mode: 'time', num: MONTH, price: 32_800, voice: 200, image: 200, channel: GPT },
];

const MICRO_YUAN_PER_FEN = 10_000;

/** What a minute of the package costs, so that a conversion gives back what was paid: at least 1 micro-yuan (decisions §4). */
const minutePrice = (group: Group): number =>
  group.mode === 'time' ? Math.max(1, Math.floor((group.price * MICRO_YUAN_PER_FEN) / group.num)) : 1;

/** Adds the channels and groups that are not there yet. What operators changed stays as they left it, so it runs at every start. */
export async function seedPlans(em: EntityManager): Promise<void> {
  for (const code of CHANNEL_CODES) {
    const { id, name, enName, price } = CHANNELS[code];
    await em.execute(
      'INSERT INTO tran_channel (id, code, name, en_name, price) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
      [id, code, name, enName, price],
    );
  }
  for (const [position, group] of GROUPS.entries()) {
    const onSale = group.id !== TRIAL_GROUP_ID;
    await em.execute(
      `INSERT INTO member_group (id, name, en_name, tier, billing_mode, num, sale_price, minute_price, voice_num, image_num,
         create_child_user, tran_channel_id, on_sale, position)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      [
        ...[group.id, group.name, group.enName, group.tier, billingModeCode(group.mode), group.num, group.price],
        ...[minutePrice(group), group.voice, group.image],
        ...[onSale && group.mode === 'char', group.channel, onSale, position],
      ],
    );
  }
}
