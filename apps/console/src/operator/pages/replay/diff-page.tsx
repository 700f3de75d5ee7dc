import { getAccount, getDifference } from '@yiqiao/contracts/operator/accounts';
import { ENTRY_TYPES } from '@yiqiao/domain/ledger';
import { Button, DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useId, useMemo, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { grouped, signed } from '../../../shared/amounts.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Icon } from '../../../shared/ui/icon.js';
import { LoadError } from '../../shared/states.js';
import { AccountHead } from './account-head.js';
import { CopyAddress } from './addresses.js';
import { csvOf, groupsOf, QUANTITIES, type Difference, type Group, type Quantity } from './differences.js';
import { DifferenceTable } from './difference-table.js';
import { useProofs, type Account } from './proofs.js';
import { FamilyShares, TellMember } from './tell-member.js';
import { useKept } from './use-replay.js';
import { WaterfallChart } from './waterfall-chart.js';
import { wire } from './window.js';
import './icons.js';
import './replay.css';

const TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const DAY = 86_400_000;

/** Two moments of an account, and every unit between them with its cause. */
export default function DiffPage() {
  const { userId = '' } = useParams();
  const account = useEndpoint(getAccount, { userId });
  if (account.isError) return <LoadError error={account.error} onReload={() => void account.refetch()} />;
  return account.data ? <Comparison key={userId} account={account.data} /> : <div className="skeleton tm-skeleton" />;
}

/** What a group is called, for operators. */
function useGroupName(account: Account): (group: Group) => string {
  const t = useMessages('replay');
  return ({ type, kind, label, ...change }) => {
    const name = ENTRY_TYPES[type][language];
    if (kind === 'member') {
      const isBack = account.role === 'main' && QUANTITIES.some((each) => change[each] > 0);
      return t(type === 'RECOVERY' || isBack ? 'recoveryOf' : 'moveTo', { name: label });
    }
    if (kind === 'order')
      return t(type === 'RECHARGE_ORDER_BY_MEMBER_GROUP' ? 'rechargeOf' : 'refundOf', { no: label });
    return kind === 'operator' ? `${name} · ${t('byOperatorName', { name: label })}` : name;
  };
}

function Comparison({ account }: { account: Account }) {
  const t = useMessages('replay');
  const navigate = useNavigate();
  const [query, setQuery] = useSearchParams();
  const [quantity, setQuantity] = useState<Quantity>('charNum');
  const nameOf = useGroupName(account);
  const proofs = useProofs(useMemo(() => [account], [account]));
  const now = account.last?.slice(0, 19) ?? wire(0);
  const to = timeIn(query.get('to')) ?? now;
  const from = timeIn(query.get('from')) ?? wire(Date.parse(`${to.replace(' ', 'T')}Z`) - DAY);
  const isOrdered = from <= to;
  const answer = useEndpoint(getDifference, { userId: String(account.userId), from, to }, { enabled: isOrdered });
  const found = useKept(answer.data);
  const set = (next: { from: string; to: string }): void => setQuery(new URLSearchParams(next), { replace: true });
  const groups = found ? groupsOf(found.parts, quantity) : [];
  return (
    <div className="tm">
      <div className="page-header">
        <div>
          <h1>{t('diffTitle')}</h1>
          <p className="page-header-note">{t('diffLead')}</p>
        </div>
        <div className="page-header-actions">
          <span className="hide-s">
            <CopyAddress name="copyAddress" />
          </span>
          <Button
            icon={<Icon name="download" />}
            disabled={!found}
            onClick={() => found && save(found, { account, from, to })}
          >
            {t('csv')}
          </Button>
        </div>
      </div>
      <AccountHead
        account={account}
        scope="account"
        proofs={proofs}
        to={(userId) => `/ledger/replay/${userId}/diff?${String(new URLSearchParams({ from, to }))}`}
        onScope={(scope) =>
          scope === 'family' &&
          void navigate(`/ledger/replay/${account.userId}?scope=family&at=${encodeURIComponent(to)}`)
        }
      />
      <section className="card">
        <div className="ab">
          <MomentField
            name={t('momentA')}
            value={from}
            seq={found?.from.seq}
            onChange={(value) => set({ from: value, to })}
          />
          <Icon name="forward" />
          <MomentField
            name={t('momentB')}
            value={to}
            seq={found?.to.seq}
            onChange={(value) => set({ from, to: value })}
          />
          <span className="sp">
            <button type="button" className="lk" onClick={() => set({ from: to, to: from })}>
              <Icon name="swap" />
              {t('exchange')}
            </button>
            <Button
              size="small"
              icon={<Icon name="history" />}
              onClick={() => void navigate(`/ledger/replay/${account.userId}?at=${encodeURIComponent(to)}`)}
            >
              {t('backToReplay')}
            </Button>
          </span>
        </div>
        {!isOrdered && (
          <p className="refusal padded" role="alert">
            {t('rangeWrong')}
          </p>
        )}
        {answer.isError && <LoadError error={answer.error} onReload={() => void answer.refetch()} />}
        {found && isOrdered && (
          <>
            <div className="wf-head">
              <h2>
                {t(quantity)}{' '}
                <b className={found.difference[quantity] < 0 ? 'sg d' : 'sg'}>{signed(found.difference[quantity])}</b>
              </h2>
              <span className="seg" role="group" aria-label={t('quantity')}>
                {QUANTITIES.map((each) => (
                  <button
                    key={each}
                    type="button"
                    className={each === quantity ? 'on' : ''}
                    aria-pressed={each === quantity}
                    onClick={() => setQuantity(each)}
                  >
                    {t(each)} {each !== quantity && signed(found.difference[each])}
                  </button>
                ))}
              </span>
            </div>
            {found.parts.length === 0 ? (
              <Empty title={t('noDifference')} />
            ) : (
              <>
                <WaterfallChart
                  difference={found}
                  groups={groups}
                  quantity={quantity}
                  nameOf={nameOf}
                  from={from}
                  to={to}
                />
                <DifferenceTable
                  account={account}
                  difference={found}
                  groups={groups}
                  quantity={quantity}
                  nameOf={nameOf}
                />
              </>
            )}
          </>
        )}
      </section>
      {found && isOrdered && found.parts.length > 0 && (
        <div className="tm-below">
          <div className="tm-events">
            <TellMember difference={found} from={from} to={to} />
          </div>
          <div className="tm-side">
            {account.familySize > 1 && <FamilyShares account={account} from={from} to={to} />}
          </div>
        </div>
      )}
    </div>
  );
}

const timeIn = (text: string | null): string | null => (text !== null && TIME.test(text) ? text : null);

type MomentFieldProps = { name: string; value: string; seq: number | undefined; onChange: (value: string) => void };

const FORMAT = 'YYYY-MM-DD HH:mm:ss';

function MomentField({ name, value, seq, onChange }: MomentFieldProps) {
  const t = useMessages('replay');
  const id = useId();
  return (
    <div className="ab-field">
      <label htmlFor={id}>{name}</label>
      <DatePicker
        id={id}
        showTime
        allowClear={false}
        format={FORMAT}
        value={dayjs(value)}
        aria-describedby={`${id}-seq`}
        onChange={(moment: Dayjs | null) => moment && onChange(moment.format(FORMAT))}
      />
      <small id={`${id}-seq`} className="num">
        {seq !== undefined && t('afterEntry', { n: grouped(seq) })}
      </small>
    </div>
  );
}

function save(difference: Difference, { account, from, to }: { account: Account; from: string; to: string }): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(['\uFEFF', csvOf(difference)], { type: 'text/csv' }));
  link.download = `yiqiao-${account.userId}-${from.replaceAll(/\D/g, '')}-${to.replaceAll(/\D/g, '')}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
