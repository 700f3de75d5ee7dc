import { grouped, yuan } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Empty } from '../../../shared/ui/empty.js';
import { type Run, signedMoney, unbalanced } from './run.js';

type Totals = Run['totals'][number];

const NONE: Omit<Totals, 'gateway'> = { count: 0, there: 0, refundedThere: 0, here: 0, refundedHere: 0, recharged: 0 };

/** A sum over all gateways. Statements know nothing of the ledger. */
const sumOf = (totals: readonly Totals[]): Omit<Totals, 'gateway'> =>
  totals.reduce<Omit<Totals, 'gateway'>>(
    (sum, each) => ({
      count: sum.count + each.count,
      there: sum.there + each.there,
      refundedThere: sum.refundedThere + each.refundedThere,
      here: sum.here + each.here,
      refundedHere: sum.refundedHere + each.refundedHere,
      recharged: sum.recharged === null || each.recharged === null ? null : sum.recharged + each.recharged,
    }),
    NONE,
  );

/** What each gateway has received, what was credited and what the ledger has of it, and the difference. */
export function RunTotals({ run }: { run: Run | undefined }) {
  const t = useMessages('payments');
  if (!run || run.totals.length === 0)
    return <Empty title={t(run ? 'noOrdersInRun' : 'noRuns')}>{t(run ? 'noOrdersInRunWhy' : 'noRunsWhy')}</Empty>;
  return (
    <div className="table-scroll rows-scroll" role="region" aria-label={t('byGateway')} tabIndex={0}>
      <table className="rows-table numeric">
        <thead>
          <tr>
            <th scope="col">{t('gateway')}</th>
            {(
              [run.source === 'gateway' ? 'orderCount' : 'count', 'sideGateway', 'sideCredited', 'sideLedger'] as const
            ).map((name) => (
              <th key={name} scope="col" className="end">
                {t(name)}
              </th>
            ))}
            <th scope="col" className="end">
              {t('difference')}
            </th>
          </tr>
        </thead>
        <tbody>
          {run.totals.map((totals) => (
            <tr key={totals.gateway}>
              <th scope="row">
                <b>{t(`gateway_${totals.gateway}`)}</b>
              </th>
              <Cells of={totals} />
            </tr>
          ))}
          <tr className="run-sum">
            <th scope="row">{t('sum')}</th>
            <Cells of={sumOf(run.totals)} />
          </tr>
        </tbody>
      </table>
    </div>
  );
}

function Cells({ of }: { of: Omit<Totals, 'gateway'> }) {
  const difference = unbalanced(of);
  return (
    <>
      <td className="end">{grouped(of.count)}</td>
      <Money paid={of.there} refunded={of.refundedThere} />
      <Money paid={of.here} refunded={of.refundedHere} />
      <td className="end">{of.recharged === null ? <span className="faint">—</span> : `¥${yuan(of.recharged)}`}</td>
      <td className={`end ${difference === 0 ? 'positive' : 'negative'}`}>
        {difference === 0 ? '0' : signedMoney(difference)}
      </td>
    </>
  );
}

/** Refunds stand below what was received. */
function Money({ paid, refunded }: { paid: number; refunded: number }) {
  const t = useMessages('payments');
  return (
    <td className="end">
      ¥{yuan(paid)}
      {refunded > 0 && <small className="faint">{t('ofWhichRefunded', { amount: yuan(refunded) })}</small>}
    </td>
  );
}
