import { Plans } from '../plans/plans.js';
import { readArguments, requireWords } from './command-line.js';
import type { Work } from './product.js';
import { table } from './table.js';

/** `channel list`: every channel, its price, and whether it can be used now. */
export function channelList(args: string[]): Work {
  requireWords(readArguments(args, {}), []);
  return async ({ app, language, say }) => {
    const offers = await app.get(Plans, { strict: false }).channelOffers();
    const yes = { zh: ['否', '是'], en: ['no', 'yes'] }[language];
    const rows = offers.map((offer) => [
      ...[String(offer.id), offer.code, offer.name, offer.enName, String(offer.price)],
      ...[yes[offer.available ? 1 : 0] ?? '', offer.reason?.[language] ?? ''],
    ]);
    say(table(HEAD[language], rows));
  };
}

const HEAD = {
  zh: ['编号', '代号', '名称', '英文名', '价格(微元/字符)', '可用', '原因'],
  en: ['id', 'code', 'name', 'enName', 'price (micro-yuan per character)', 'available', 'reason'],
} as const;
