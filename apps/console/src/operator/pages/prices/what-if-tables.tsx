import type { ReactNode } from 'react';
import { grouped } from '../../../shared/amounts.js';
import { Card } from '../../../shared/ui/card.js';
import type { Prices } from './draft.js';
import { fenOf, plainYuan, signedYuan, toneOf, usePriceWords } from './price-words.js';
import type { Result } from './use-what-if.js';

type TableProps = { prices: Prices; result: Result };

function Table({ title, heads, children }: { title: string; heads: readonly string[]; children: ReactNode }) {
  return (
    <Card title={title}>
      <div className="table-scroll rows-scroll" role="region" aria-label={title} tabIndex={0}>
        <table className="rows-table numeric">
          <thead>
            <tr>
              {heads.map((head, n) => (
                <th key={head} scope="col" className={n === 0 ? undefined : 'end'}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
    </Card>
  );
}

export function ByPlan({ prices, result }: TableProps) {
  const { t } = usePriceWords(prices);
  const nameOf = (id: number): string => prices.plans.find((one) => one.id === id)?.name ?? `#${id}`;
  const sum = (side: 'was' | 'wouldBe'): number => result.plans.reduce((all, { amount }) => all + amount[side], 0);
  const rest = { was: result.amount.was - sum('was'), wouldBe: result.amount.wouldBe - sum('wouldBe') };
  const heads = [t('columnPlan'), t('orders'), t('was'), t('wouldBe'), t('difference'), t('gainLose')];
  return (
    <Table title={t('byPlan')} heads={heads}>
      {result.plans.map(({ id, orders, amount, gains, loses }) => (
        <tr key={id}>
          <th scope="row" className="dynamic-text">
            {nameOf(id)}
          </th>
          <td className="end muted">{grouped(orders)}</td>
          <td className="end muted">{plainYuan(amount.was)}</td>
          <td className="end">{plainYuan(amount.wouldBe)}</td>
          <td className={`end ${toneOf(amount.wouldBe - amount.was)}`}>{signedYuan(amount.wouldBe - amount.was)}</td>
          <td className="end muted">
            {grouped(gains)} / {grouped(loses)}
          </td>
        </tr>
      ))}
      {(rest.was !== 0 || rest.wouldBe !== 0) && (
        <tr>
          <th scope="row">{t('refunded')}</th>
          <td />
          <td className="end muted">{plainYuan(rest.was)}</td>
          <td className="end">{plainYuan(rest.wouldBe)}</td>
          <td className={`end ${toneOf(rest.wouldBe - rest.was)}`}>{signedYuan(rest.wouldBe - rest.was)}</td>
          <td />
        </tr>
      )}
      <tr className="what-if-sum">
        <th scope="row">{t('sum')}</th>
        <td />
        <td className="end">{plainYuan(result.amount.was)}</td>
        <td className="end">{plainYuan(result.amount.wouldBe)}</td>
        <td className="end">{signedYuan(result.amount.wouldBe - result.amount.was)}</td>
        <td className="end">
          {grouped(result.affected.gains)} / {grouped(result.affected.loses)}
        </td>
      </tr>
    </Table>
  );
}

export function ByChannel({ prices, result }: TableProps) {
  const { t, channel } = usePriceWords(prices);
  const heads = [t('columnChannel'), t('chargedWas'), t('chargedWouldBe'), t('vendorCost'), t('value'), t('gainLose')];
  return (
    <Table title={t('byChannel')} heads={heads}>
      {result.channels
        .filter(({ lines, into, outOf }) => lines + into + outOf > 0)
        .map(({ id, charged, vendorCost, value, gains, loses }) => (
          <tr key={id}>
            <th scope="row" className="dynamic-text">
              {channel(id)}
            </th>
            <td className="end muted">{grouped(charged.was)}</td>
            <td className="end">{grouped(charged.wouldBe)}</td>
            <td className="end muted">{plainYuan(fenOf(vendorCost))}</td>
            <td className="end">{plainYuan(fenOf(value.wouldBe))}</td>
            <td className="end muted">
              {grouped(gains)} / {grouped(loses)}
            </td>
          </tr>
        ))}
    </Table>
  );
}
