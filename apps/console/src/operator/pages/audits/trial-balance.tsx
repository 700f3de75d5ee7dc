import './books.css';
import { getMoneyLine } from '@yiqiao/contracts/operator/payments';
import { getTrialBalance } from '@yiqiao/contracts/operator/trial-balance';
import { ENTRY_LINES, type EntryLine, entryLines, OTHER_LINES, type OtherLine } from '@yiqiao/domain/trial-balance';
import { Button, DatePicker, Segmented } from 'antd';
import dayjs from 'dayjs';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { grouped, signed, yuan } from '../../../shared/amounts.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Icon } from '../../../shared/ui/icon.js';
import { Loaded } from '../../shared/states.js';
import { HeldByPlan, HeldFamilies } from './held-tables.js';
import { LineCells, LineHeads, money, Opens } from './line-cells.js';
import { LineDrawer } from './line-drawer.js';
import {
  atOf,
  type Balance,
  isEntryLine,
  isFamilyLine,
  lineOf,
  QUANTITIES,
  type Quantity,
  useBooks,
  type View,
  VIEWS,
} from './use-books.js';

const WIRE = 'YYYY-MM-DD HH:mm:ss';

/** Issued − used − lapsed ± conversions = held, at any second; each number opens what it is made of (operators §7). */
export function TrialBalancePanel() {
  const t = useMessages('audits');
  const { at, view, line, change } = useBooks();
  const id = useId();
  const query = useEndpoint(getTrialBalance, atOf(at));
  const asOf = query.data?.at;
  return (
    <section className="card books" aria-labelledby={id}>
      <div className="books-head">
        <div>
          <h2 id={id}>{t('trialTitle')}</h2>
          <small className="numeric" role="status">
            {asOf === undefined ? '' : t(at === null ? 'asOfNow' : 'asOf', { at: asOf })}
          </small>
        </div>
        <div className="books-choice">
          <DatePicker
            aria-label={t('moment')}
            placeholder={t('momentNow')}
            format={WIRE}
            showTime={{ defaultValue: dayjs('2000-01-01 23:59:59') }}
            value={at === null ? null : dayjs(at)}
            disabledDate={(day) => day.isAfter(dayjs().endOf('day'))}
            onChange={(value) => change({ at: value?.format(WIRE) ?? null, day: null })}
          />
          {at === null && (
            <Button
              aria-label={t('readAgain')}
              title={t('readAgain')}
              icon={<Icon name="refresh" />}
              loading={query.isFetching}
              onClick={() => void query.refetch()}
            />
          )}
          <Segmented<View>
            aria-label={t('view')}
            value={view}
            options={VIEWS.map((value) => ({ value, label: t(`view_${value}`) }))}
            onChange={(value) => change({ by: value === 'columns' ? null : value, plan: null })}
          />
        </div>
      </div>
      <Loaded query={query} rows={5}>
        {(balance) => (
          <>
            <Differs balance={balance} />
            {view === 'columns' && <Columns balance={balance} />}
            {view === 'lines' && <Lines balance={balance} />}
            {view === 'plans' && <HeldByPlan balance={balance} />}
            {view === 'families' && <HeldFamilies line="held" />}
            <Money balance={balance} />
            <p className="books-foot">{t('trialNote')}</p>
            {(isEntryLine(line) || isFamilyLine(line)) && <LineDrawer balance={balance} line={line} />}
          </>
        )}
      </Loaded>
    </section>
  );
}

function Differs({ balance: { difference } }: { balance: Balance }) {
  const t = useMessages('audits');
  if (Object.values(difference).every((n) => n === 0)) return null;
  return (
    <p className="remark bad books-remark" role="alert">
      <Icon name="broken" />
      {t('trialDiffers')}
    </p>
  );
}

/** Columns that stand for several lines open the one that has most to do with the quantity. */
const COLUMNS = [
  { key: 'bought', lines: ['purchases', 'refunds'] },
  { key: 'given', lines: ['trialGifts', 'inviteRewards', 'grants'] },
  { key: 'adjusted', lines: ['adjustments'] },
] as const;
const USED = { charNum: 'translations', voiceNum: 'voice', imageNum: 'images' } as const;

const sumOf = (balance: Balance, lines: readonly EntryLine[], quantity: Quantity): number =>
  lines.reduce((sum, key) => sum + (lineOf(balance, key)?.[quantity] ?? 0), 0);
const ofSide = (side: string): EntryLine[] => entryLines.filter((key) => ENTRY_LINES[key].side === side);

const Sign = ({ children }: { children: string }) => (
  <td className="books-sign" aria-hidden="true">
    {children}
  </td>
);

function Columns({ balance }: { balance: Balance }) {
  const t = useMessages('audits');
  const heads = [...COLUMNS.map(({ key }) => key), 'issued'] as const;
  return (
    <div className="table-scroll rows-scroll" role="region" aria-label={t('trialTitle')} tabIndex={0}>
      <table className="books-table numeric">
        <thead>
          <tr>
            <th scope="col">{t('quantity')}</th>
            {heads.map((key) => (
              <th key={key} scope="col">
                {t(key)}
              </th>
            ))}
            {(['used', 'lapsed', 'converted'] as const).map((key) => (
              <th key={key} scope="col" colSpan={2}>
                {t(key)}
              </th>
            ))}
            <th scope="col" colSpan={2} className="books-held">
              {t('held')}
            </th>
            <th scope="col">{t('difference')}</th>
          </tr>
        </thead>
        <tbody>
          {QUANTITIES.map((quantity) => (
            <QuantityRow key={quantity} balance={balance} quantity={quantity} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function QuantityRow({ balance, quantity }: { balance: Balance; quantity: Quantity }) {
  const t = useMessages('audits');
  const of = (key: EntryLine | OtherLine): number => lineOf(balance, key)?.[quantity] ?? 0;
  const name = t(quantity);
  const difference = balance.difference[quantity];
  return (
    <tr>
      <th scope="row">{name}</th>
      {COLUMNS.map(({ key, lines }) => {
        const value = sumOf(balance, lines, quantity);
        return (
          <td key={key} className={key === 'adjusted' && value !== 0 ? 'hand-text' : undefined}>
            <Opens line={lines[0]} name={`${name} ${t(key)} ${grouped(value)}`}>
              {key === 'adjusted' ? signed(value) : grouped(value)}
            </Opens>
          </td>
        );
      })}
      <td className="books-sum">{grouped(sumOf(balance, ofSide('issued'), quantity))}</td>
      <Sign>−</Sign>
      <td className="books-sum">
        <Opens line={USED[quantity]} name={`${name} ${t('used')} ${grouped(sumOf(balance, ofSide('used'), quantity))}`}>
          {grouped(sumOf(balance, ofSide('used'), quantity))}
        </Opens>
      </td>
      <Sign>−</Sign>
      <td className="books-sum">
        <Opens line="lapsed" name={`${name} ${t('lapsed')} ${grouped(of('lapsed'))}`}>
          {grouped(of('lapsed'))}
        </Opens>
      </td>
      <Sign>±</Sign>
      <td className="books-sum">
        <Opens line="conversions" name={`${name} ${t('converted')} ${signed(of('conversions'))}`}>
          {signed(of('conversions'))}
        </Opens>
      </td>
      <td className="books-sign books-held" aria-hidden="true">
        =
      </td>
      <td className="books-sum books-held">
        <Opens line="held" name={`${name} ${t('held')} ${grouped(of('held'))}`}>
          {grouped(of('held'))}
        </Opens>
        <small>
          <Opens line="frozen" name={`${name} ${t('ofThemFrozen', { n: grouped(of('frozen')) })}`}>
            {t('ofThemFrozen', { n: grouped(of('frozen')) })}
          </Opens>
        </small>
      </td>
      <td className={difference === 0 ? 'books-none' : 'books-some'}>{signed(difference)}</td>
    </tr>
  );
}

const nameOf = (key: EntryLine | OtherLine): string => ({ ...ENTRY_LINES, ...OTHER_LINES })[key][language];

/** Every line of the balance with the number of its entries. */
function Lines({ balance }: { balance: Balance }) {
  const t = useMessages('audits');
  return (
    <div className="table-scroll rows-scroll" role="region" aria-label={t('trialTitle')} tabIndex={0}>
      <table className="rows-table numeric">
        <LineHeads texts={[t('line')]} numbers={[t('entries')]} />
        <tbody>
          {balance.lines.map(({ key, entries, ...line }) => (
            <tr key={key}>
              <th scope="row">
                {isEntryLine(key) || isFamilyLine(key) ? (
                  <Opens line={key} name={nameOf(key)}>
                    {nameOf(key)}
                  </Opens>
                ) : (
                  nameOf(key)
                )}
              </th>
              <td className="end muted">{entries === null ? '' : grouped(entries)}</td>
              <LineCells of={line} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Paid − refunded = recharge totals = statement as imported. */
function Money({ balance }: { balance: Balance }) {
  const t = useMessages('audits');
  const { at } = useBooks();
  const statement = useEndpoint(getMoneyLine, atOf(at)).data?.statement;
  const fen = (key: OtherLine): number => lineOf(balance, key)?.amount ?? 0;
  const until = at === null ? '' : `&to=${at.slice(0, 10)}`;
  const { amount } = balance.difference;
  return (
    <div className="books-money numeric">
      <b>{t('amount')}</b>
      <span>
        <Link to={`/payments/orders?payStatus=P${until}`}>
          {t('paid')} ¥{yuan(fen('paid'))}
        </Link>{' '}
        −{' '}
        <Link to="/payments/refunds">
          {t('refunded')} ¥{yuan(fen('refunded'))}
        </Link>{' '}
        ={' '}
        <Opens line="recharged" name={`${t('recharged')} ¥${yuan(fen('recharged'))}`}>
          {t('recharged')} <b>¥{yuan(fen('recharged'))}</b>
        </Opens>
      </span>
      {amount === 0 ? (
        <Agrees>{t('moneyAgrees')}</Agrees>
      ) : (
        <span className="books-some">{t('moneyDiffers', { n: money(amount) })}</span>
      )}
      {statement && <Statement {...statement} />}
    </div>
  );
}

const Agrees = ({ children }: { children: ReactNode }) => (
  <span className="books-none">
    <Icon name="check" /> {children}
  </span>
);

type StatementProps = {
  paid: number;
  refunded: number;
  paidHere: number;
  refundedHere: number;
  until: string | null;
};

function Statement({ paid, refunded, paidHere, refundedHere, until }: StatementProps) {
  const t = useMessages('audits');
  const link = (text: string) => <Link to="/payments/reconciliations">{text}</Link>;
  if (until === null) return <span className="muted">{link(t('noStatement'))}</span>;
  const difference = paid - refunded - (paidHere - refundedHere);
  const day = until.slice(0, 10);
  return difference === 0 ? (
    <Agrees>{link(t('statementAgrees', { amount: yuan(paid - refunded), day }))}</Agrees>
  ) : (
    <span className="books-some">{link(t('statementDiffers', { n: money(difference), day }))}</span>
  );
}
