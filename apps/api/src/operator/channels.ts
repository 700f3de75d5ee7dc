import { EntityManager } from '@mikro-orm/postgresql';
import { ChangePrices } from '../plans/change-prices.js';
import { Plans, type Channel } from '../plans/plans.js';
import { type Figures, Traffic } from '../translation/routing/traffic.js';
import { UsageError } from '../platform/cli-messages.js';
import { readArguments, requireWords, flag, integer, type Readers, readSettings, sentence } from './command-line.js';
import type { OperatorTask } from './operator-app.js';
import { table, changes } from './table.js';
import { authorOf, managerAndReason } from './managers.js';

/** `channel list`: every channel, its price, its availability, and the success rate of the last 24 hours. */
export function channelList(args: string[]): OperatorTask {
  requireWords(readArguments(args, {}), []);
  return async ({ app, language, print }) => {
    const offers = await app.get(Plans, { strict: false }).channelOffers();
    const figures = await app.get(Traffic, { strict: false }).figures();
    const yes = { zh: ['否', '是', '全部失败'], en: ['no', 'yes', 'failing'] }[language];
    const rows = offers.map((offer) => [
      String(offer.id),
      offer.code,
      offer.name,
      offer.enName,
      String(offer.price),
      // A key that the vendor rejects is found only by using it: then no request succeeds.
      yes[!offer.available ? 0 : figures.get(offer.id)?.successShare === 0 ? 2 : 1] ?? '',
      offer.reason?.[language] ?? '',
      shareOf(figures.get(offer.id)),
    ]);
    print(table(HEAD[language], rows));
  };
}

/** `12 / 98 %`: the requests of the last 24 hours and how many of them succeeded. */
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

const INT4_MAX = 2 ** 31 - 1;
const NAME_MOST = 64;
const name = (key: string, text: string): string => sentence(key, text, NAME_MOST);

type Settable = Pick<Channel, 'price' | 'enabled' | 'name' | 'enName'>;

/** The columns of a channel that an operator may change; its capabilities are code. */
const SETTINGS: Readers<Settable> = {
  price: (key, text) => integer(key, text, [1, INT4_MAX]),
  enabled: flag,
  name,
  enName: name,
};

/** `channel set <id|code> key=value … --reason "…" [--by name]`. A new price revalues the quota of members on this channel from now on. */
export function channelSet(args: string[]): OperatorTask {
  const parsed = readArguments(args, { settings: Object.keys(SETTINGS), options: ['reason', 'by'] });
  const [which = ''] = requireWords(parsed, ['id|code']);
  const known = Object.keys(SETTINGS).join(' ');
  if (parsed.settings.size === 0)
    throw new UsageError({ zh: `没有要修改的内容，可用：${known}`, en: `Nothing to set. Available: ${known}` });
  const change = readSettings(SETTINGS, parsed.settings);
  managerAndReason(parsed); // the reason is required
  const authorIn = authorOf(parsed);
  return async ({ app, language, print }) => {
    const prices = app.get(ChangePrices, { strict: false });
    const { code, lines } = await app
      .get(EntityManager)
      .fork()
      .transactional(async (em) => {
        await prices.seeChannel(em, which, change);
        const author = await authorIn({ app })(em);
        const { was, will } = await prices.changeChannel(em, { which, change }, author);
        return { code: was.code, lines: changes(was, will) };
      });
    const nothing = { zh: '  没有变化', en: '  nothing changed' }[language];
    print({ zh: `通道 ${code}`, en: `Channel ${code}` }[language]);
    for (const line of lines.length > 0 ? lines : [nothing]) print(line);
  };
}
