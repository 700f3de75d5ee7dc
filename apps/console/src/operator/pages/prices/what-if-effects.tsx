import { Link } from 'react-router';
import { grouped, signed, yuan } from '../../../shared/amounts.js';
import { Card } from '../../../shared/ui/card.js';
import { FigureStrip, type StripFigure } from '../../shared/figure-strip.js';
import type { Field, Prices } from './draft.js';
import { percent, plainYuan, shortTime, signedYuan, toneOf, usePriceWords } from './price-words.js';
import type { Result, WhatIf } from './use-what-if.js';

type EffectProps = { prices: Prices; run: WhatIf; result: Result; id: number };

/** Money that would be lost to a larger plan, or won, if everybody who would be better off with it bought it. */
function ifAllSwitched(result: Result, id: number, ratio: number): number {
  const { amount } = result.plans.find((plan) => plan.id === id) ?? { amount: { was: 0, wouldBe: 0 } };
  const switches = result.switches.filter(({ plan }) => plan === id);
  return switches.reduce(
    (sum, { amount: other }) => sum - (other.was * ratio - other.wouldBe),
    amount.wouldBe - amount.was,
  );
}

/** What another price, size or gift of a plan does to those who bought it. */
export function PlanEffect({ prices, run, result, id }: EffectProps) {
  const words = usePriceWords(prices);
  const { t } = words;
  const plan = prices.plans.find((one) => one.id === id);
  const change = run.changes.plans[String(id)] ?? {};
  const sums = result.plans.find((one) => one.id === id);
  if (!plan) return null;
  const title = (Object.entries(change) as [Exclude<Field, 'price' | 'referenceChannelId' | 'onSale'>, number][])
    .map(([field, will]) => {
      const now = `${words.value(field, plan[field], plan.billingMode)} → ${words.value(field, will, plan.billingMode)}`;
      return field === 'salePrice' ? now : `${t(`field_${field}`)} ${now}`;
    })
    .join(t('and'));
  const note = sums
    ? t('planNote', { orders: grouped(sums.orders), families: grouped(sums.gains + sums.loses + sums.same) })
    : t('planUnused');
  return (
    <Card title={`${plan.name} ${title}`} note={note}>
      {sums && (
        <div className="price-strip">
          <FigureStrip figures={planFigures({ prices, result, id, words, sums, newPrice: change.salePrice })} />
        </div>
      )}
    </Card>
  );
}

function planFigures(props: {
  prices: Prices;
  result: Result;
  id: number;
  words: ReturnType<typeof usePriceWords>;
  sums: Result['plans'][number];
  newPrice: number | undefined;
}): StripFigure[] {
  const { prices, result, id, words, sums, newPrice } = props;
  const { t } = words;
  const { amount, units, charNum, minutes } = sums;
  const difference = amount.wouldBe - amount.was;
  const same: StripFigure = {
    name: t('samePeople'),
    value: signedYuan(difference),
    tone: toneOf(difference),
    note: t('samePeopleOf', {
      was: plainYuan(amount.was),
      wouldBe: plainYuan(amount.wouldBe),
      units: grouped(units),
    }),
  };
  const sizes = [charNum, minutes].find(({ was, wouldBe }) => was !== wouldBe);
  const more: StripFigure[] = sizes
    ? [
        {
          name: t(sizes === charNum ? 'moreCharacters' : 'moreMinutes'),
          value: signed(sizes.wouldBe - sizes.was),
          note: `${grouped(sizes.was)} → ${grouped(sizes.wouldBe)}`,
        },
      ]
    : [];
  if (newPrice === undefined || units === 0 || difference === 0) return [same, ...more];
  const balanced = Math.ceil(amount.was / newPrice);
  const switches = result.switches.filter(({ plan }) => plan === id);
  const [first] = switches;
  const families = switches.reduce((sum, row) => sum + row.families, 0);
  const moved = ifAllSwitched(result, id, amount.wouldBe / amount.was);
  const nameOf = (plan: number): string => prices.plans.find((one) => one.id === plan)?.name ?? `#${plan}`;
  return [
    same,
    {
      name: t(difference > 0 ? 'mayLose' : 'mustSell'),
      value: grouped(Math.abs(units - balanced)),
      after: t('unitsShare', { share: percent(Math.abs(units - balanced) / units) }),
      note: t('balanced', {
        n: grouped(balanced),
        price: `¥${yuan(newPrice)}`,
        amount: plainYuan(balanced * newPrice),
      }),
    },
    {
      name: first ? t('wouldSwitch', { plan: nameOf(first.to) }) : t('wouldSwitchNone'),
      value: grouped(families),
      after: t('familiesUnit', { n: families }),
      note: first
        ? t('switchOf', {
            was: plainYuan(first.amount.was),
            wouldBe: plainYuan(first.amount.wouldBe),
            more: words.size(first.more, prices.plans.find((one) => one.id === id)?.billingMode ?? 'char'),
          })
        : t('noSwitch'),
    },
    {
      name: t('ifAllSwitched'),
      value: signedYuan(Math.round(moved)),
      tone: toneOf(moved),
      note: families === 0 ? t('ifNobody') : t('ifAllOf', { n: grouped(families) }),
    },
    ...more,
  ].slice(0, 4);
}

const SHOWN = 10;

/** What another price of a channel does to the changes of channel that members made. */
export function ChannelEffect({ prices, run, result, id }: EffectProps) {
  const { t, channel } = usePriceWords(prices);
  const now = prices.channels.find((one) => one.id === id);
  if (!now) return null;
  const will = run.changes.channels[now.code as keyof typeof run.changes.channels] ?? now.price;
  const sums = result.channels.find((one) => one.id === id);
  const [into, outOf] = [sums?.into ?? 0, sums?.outOf ?? 0];
  const rows = result.conversions.filter(({ from, to }) => from === id || to === id).slice(0, SHOWN);
  const title = `${now.name} ${grouped(now.price)} → ${t('micro', { n: grouped(will) })}`;
  const note = t('channelNote', { n: grouped(into + outOf), into: grouped(into), outOf: grouped(outOf) });
  return (
    <Card title={title} note={note}>
      {rows.length === 0 ? (
        <p className="muted price-none">{t('noConversions')}</p>
      ) : (
        <>
          <div className="table-scroll rows-scroll" role="region" aria-label={title} tabIndex={0}>
            <table className="rows-table numeric">
              <thead>
                <tr>
                  <th scope="col">{t('family')}</th>
                  <th scope="col">{t('time')}</th>
                  <th scope="col">{t('conversion')}</th>
                  <th scope="col" className="end">
                    {t('heldBefore')}
                  </th>
                  <th scope="col" className="end">
                    {t('got')}
                  </th>
                  <th scope="col" className="end">
                    {t('wouldGet')}
                  </th>
                  <th scope="col" className="end">
                    {t('difference')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map(({ userId, seq, name, at, from, to, before, charNum }) => (
                  <tr key={`${userId} ${seq}`}>
                    <th scope="row">
                      <Link className="link dynamic-text" to={`/ledger/replay/${userId}?seq=${seq}`}>
                        {name ?? `#${userId}`}
                      </Link>
                    </th>
                    <td className="muted">{shortTime(at)}</td>
                    <td className="dynamic-text">
                      {channel(from)} → {channel(to)}
                    </td>
                    <td className="end">{grouped(before)}</td>
                    <td className="end">{grouped(charNum.was)}</td>
                    <td className="end">{grouped(charNum.wouldBe)}</td>
                    <td className={`end ${toneOf(charNum.wouldBe - charNum.was)}`}>
                      {signed(charNum.wouldBe - charNum.was)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p className="faint what-if-foot">
            {t(will > now.price ? 'dearer' : 'cheaper', {
              into: percent(Math.abs(1 - now.price / will)),
              outOf: percent(Math.abs(will / now.price - 1)),
            })}
          </p>
        </>
      )}
    </Card>
  );
}
