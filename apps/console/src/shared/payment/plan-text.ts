import { DAY_MS, MINUTE_MS, PACKAGE_DAYS } from '@yiqiao/domain/limits';
import type { BillingMode } from '@yiqiao/domain/plans';
import { durationOf, grouped, withDecimals } from '../amounts.js';
import { channelNameOf } from '../channel-name.js';
import { withoutHanSpaces } from '../i18n/han-spacing.js';
import { language } from '../i18n/language.js';
import { messagesOf } from '../i18n/messages.js';

const say = messagesOf('payment');
const DAY_MINUTES = DAY_MS / MINUTE_MS;

/** From 10,000 up: `500 万字符`, `5,000k characters` (decisions §6; specification §9). */
function charsText(num: number): string {
  if (num < 10_000) return say('chars', { n: grouped(num) });
  return say('charsInTenThousands', { n: withDecimals(num, { places: language === 'zh' ? 4 : 3 }) });
}

/** A time package's minutes as days: `30 天`. */
export function planDays(minutes: number): string {
  const days = Math.max(1, Math.round(minutes / DAY_MINUTES));
  return days === 1 ? say('oneDay') : say('days', { n: grouped(days) });
}

/** Months are minutes / 60 / 24 / 30, rounded (specification §9); less than half a month is shown in days. */
function periodText(minutes: number): string {
  const months = Math.round(minutes / DAY_MINUTES / PACKAGE_DAYS);
  if (months === 0) return planDays(minutes);
  return months === 1 ? say('oneMonth') : say('months', { n: grouped(months) });
}

/** Exact duration: `12 天 12 小时`. */
function timeText(total: number): string {
  const { days, hours, minutes } = durationOf(total);
  const parts = [
    days > 0 && planDays(days * DAY_MINUTES),
    hours > 0 && say('hours', { n: hours }),
    minutes > 0 && say('minutes', { n: minutes }),
  ].filter((part) => part !== false);
  return parts.length === 0 ? say('minutes', { n: 0 }) : parts.join(' ');
}

/** The exact credit of a package: characters, or minutes of a time package. */
export const creditedText = (billingMode: BillingMode, num: number): string =>
  billingMode === 'time' ? timeText(num) : say('chars', { n: grouped(num) });

/** The channel whose price the size of a package refers to (decisions §4): `按谷歌翻译单价`, `at Google’s price`. */
export const referenceText = (channelId: number): string =>
  withoutHanSpaces(say('atPriceOf', { name: channelNameOf(channelId) ?? String(channelId) }));

type Holding = { billingMode: BillingMode; num: number; referenceChannelId: number };

/** The size of a purchase and its reference price: `500 万字符（按谷歌翻译单价）`. */
export const holdingText = ({ billingMode, num, referenceChannelId }: Holding): string =>
  say('sizeAtPrice', { size: planSize(billingMode, num), price: referenceText(referenceChannelId) });

/** The size of a package: `num` in characters, or in minutes for a time package. */
export const planSize = (billingMode: BillingMode, num: number): string =>
  billingMode === 'time' ? periodText(num) : charsText(num);
