import { Plans } from '../plans/plans.js';
import { type Figures, Traffic } from '../translation/routing/traffic.js';
import { readArguments, requireWords } from './command-line.js';
import type { Work } from './product.js';
import { table } from './table.js';

/** `channel list`: every channel, its price, whether it can be used now, and how the requests of the last 24 hours ended. */
export function channelList(args: string[]): Work {
  requireWords(readArguments(args, {}), []);
  return async ({ app, language, say }) => {
    const offers = await app.get(Plans, { strict: false }).channelOffers();
    const figures = await app.get(Traffic, { strict: false }).figures();
    const yes = { zh: ['否', '是', '全部失败'], en: ['no', 'yes', 'failing'] }[language];
    const rows = offers.map((offer) => [
      ...[String(offer.id), offer.code, offer.name, offer.enName, String(offer.price)],
      // A key that the vendor refuses looks like any other until somebody uses it: then no request succeeds.
      ...[yes[!offer.available ? 0 : figures.get(offer.id)?.successShare === 0 ? 2 : 1] ?? ''],
      ...[offer.reason?.[language] ?? '', shareOf(figures.get(offer.id))],
    ]);
    say(table(HEAD[language], rows));
  };
}

/** `12 / 98 %`: requests of the last 24 hours, and how many of them a channel answered. */
const shareOf = (figures: Figures | undefined): string =>
  figures === undefined || figures.successShare === null
    ? '–'
    : `${figures.requests} / ${Math.floor(figures.successShare * 100)} %`;

const HEAD = {
  zh: ['编号', '代号', '名称', '英文名', '价格(微元/字符)', '可用', '原因', '24 小时请求/成功'],
  en: [
    'id',
    'code',
    'name',
    'enName',
    'price (micro-yuan per character)',
    'available',
    'reason',
    '24 h: requests/answered',
  ],
} as const;
