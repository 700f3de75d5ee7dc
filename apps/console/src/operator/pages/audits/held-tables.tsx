import { listHeldByFamily, listHeldByPlan } from '@yiqiao/contracts/operator/trial-balance';
import { Pagination, Select } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { grouped, signed, yuan } from '../../../shared/amounts.js';
import { namedPages } from '../../../shared/antd/named-pages.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Loaded } from '../../shared/states.js';
import { atOf, type Balance, type FamilyLine, lineOf, QUANTITIES, useBooks } from './use-books.js';

const PAGE = 20;

const usePlans = () => useEndpoint(listHeldByPlan, atOf(useBooks().at));

/** What the members of each plan hold; the last row is their sum. */
export function HeldByPlan({ balance }: { balance: Balance }) {
  const t = useMessages('audits');
  const { at, change } = useBooks();
  const query = usePlans();
  return (
    <Loaded query={query}>
      {({ rows }) => (
        <div className="table-scroll rows-scroll" role="region" aria-label={t('view_plans')} tabIndex={0}>
          <table className="rows-table numeric">
            <thead>
              <tr>
                <th scope="col">{t('plan')}</th>
                <th scope="col" className="end">
                  {t('familyCount')}
                </th>
                {QUANTITIES.map((quantity) => (
                  <th key={quantity} scope="col" className="end">
                    {t(quantity)}
                  </th>
                ))}
                <th scope="col" className="end">
                  {t('frozenChars')}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.memberGroupId}>
                  <th scope="row">
                    <button
                      type="button"
                      className="books-open"
                      onClick={() => change({ by: 'families', plan: String(row.memberGroupId) })}
                    >
                      {language === 'zh' ? row.name : row.enName}
                    </button>
                  </th>
                  <td className="end muted">{grouped(row.families)}</td>
                  {QUANTITIES.map((quantity) => (
                    <td key={quantity} className="end">
                      {grouped(row[quantity])}
                    </td>
                  ))}
                  <td className="end muted">{grouped(row.frozen.charNum)}</td>
                </tr>
              ))}
              <tr className="books-total">
                <th scope="row">{t('sum')}</th>
                <td className="end">{grouped(rows.reduce((sum, { families }) => sum + families, 0))}</td>
                {QUANTITIES.map((quantity) => {
                  const sum = rows.reduce((total, row) => total + row[quantity], 0);
                  const open = sum - (lineOf(balance, 'held')?.[quantity] ?? 0);
                  return (
                    <td key={quantity} className="end">
                      {grouped(sum)}
                      {/* Two answers of now are of two moments. */}
                      {at !== null && (
                        <small className={open === 0 ? 'books-none' : 'books-some'}>
                          {t('offHeld', { n: signed(open) })}
                        </small>
                      )}
                    </td>
                  );
                })}
                <td className="end">{grouped(rows.reduce((sum, { frozen }) => sum + frozen.charNum, 0))}</td>
              </tr>
            </tbody>
          </table>
        </div>
      )}
    </Loaded>
  );
}

/** The families of a line, those with most first; each opens in the time machine at the moment of the balance. */
export function HeldFamilies({ line }: { line: FamilyLine }) {
  const t = useMessages('audits');
  const { at, plan, change } = useBooks();
  const [page, turn] = useState(1);
  const plans = usePlans().data?.rows ?? [];
  const query = useEndpoint(listHeldByFamily, {
    ...atOf(at),
    line,
    ...(plan === null ? {} : { memberGroupId: plan }),
    pageNum: String(page),
    pageSize: String(PAGE),
  });
  const isMoney = line === 'recharged';
  const namesOf = (id: number): string => {
    const found = plans.find(({ memberGroupId }) => memberGroupId === id);
    return found ? (language === 'zh' ? found.name : found.enName) : String(id);
  };
  return (
    <>
      {plans.length > 1 && (
        <div className="books-filter">
          <Select
            aria-label={t('plan')}
            allowClear
            placeholder={t('allPlans')}
            value={plan}
            options={plans.map(({ memberGroupId: id }) => ({ value: String(id), label: namesOf(id) }))}
            onChange={(value: string | undefined) => {
              turn(1);
              change({ plan: value ?? null });
            }}
          />
        </div>
      )}
      <Loaded query={query} rows={8}>
        {({ rows, total }) =>
          rows.length === 0 ? (
            <Empty title={t('noFamilies')} />
          ) : (
            <>
              <div className="table-scroll rows-scroll" role="region" aria-label={t('view_families')} tabIndex={0}>
                <table className="rows-table numeric">
                  <thead>
                    <tr>
                      <th scope="col">{t('family')}</th>
                      <th scope="col">{t('plan')}</th>
                      <th scope="col" className="end">
                        {t('accountCount')}
                      </th>
                      {isMoney ? (
                        <th scope="col" className="end">
                          {t('recharged')}
                        </th>
                      ) : (
                        QUANTITIES.map((quantity) => (
                          <th key={quantity} scope="col" className="end">
                            {t(quantity)}
                          </th>
                        ))
                      )}
                      <th scope="col">{t('expires')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {rows.map((row) => (
                      <tr key={row.familyId}>
                        <th scope="row">
                          <Link className="link" to={replayOf(row, at)}>
                            {row.nickname === null ? (
                              t('loggedOff')
                            ) : (
                              <span className="dynamic-text">{row.nickname}</span>
                            )}{' '}
                            #{row.familyId}
                          </Link>
                        </th>
                        <td className="muted">{namesOf(row.memberGroupId)}</td>
                        <td className="end muted">{grouped(row.accounts)}</td>
                        {isMoney ? (
                          <td className="end">¥{yuan(row.amount)}</td>
                        ) : (
                          QUANTITIES.map((quantity) => (
                            <td key={quantity} className="end">
                              {grouped(row[quantity])}
                            </td>
                          ))
                        )}
                        <td className="muted">{row.expireDateTime ?? t('never')}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              <Pages page={page} total={total} size={PAGE} onTurn={turn} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

function replayOf({ familyId, accounts }: { familyId: number; accounts: number }, at: string | null): string {
  const query = new URLSearchParams({ ...(accounts > 1 ? { scope: 'family' } : {}), ...atOf(at) }).toString();
  return `/ledger/replay/${familyId}${query === '' ? '' : `?${query}`}`;
}

/** Below a table of pages. */
export function Pages(props: { page: number; total: number; size: number; onTurn: (page: number) => void }) {
  const { page, total, size, onTurn } = props;
  return (
    <Pagination
      className="books-pages"
      size="small"
      current={page}
      total={total}
      pageSize={size}
      showSizeChanger={false}
      itemRender={namedPages}
      hideOnSinglePage
      onChange={onTurn}
    />
  );
}
