import { listEntries } from '@yiqiao/contracts/operator/accounts';
import { Fragment, useState } from 'react';
import { Link } from 'react-router';
import { grouped, signed } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Icon } from '../../../shared/ui/icon.js';
import { LoadError } from '../../shared/states.js';
import { OperatorTag } from './cause-details.js';
import {
  isHand,
  QUANTITIES,
  totalOf,
  unattributed,
  type Difference,
  type Group,
  type Quantity,
} from './differences.js';
import type { Account } from './proofs.js';

type TableProps = {
  account: Account;
  difference: Difference;
  groups: readonly Group[];
  quantity: Quantity;
  nameOf: (group: Group) => string;
};

/** Every unit with its cause: the parts, their sum, the difference, and what is left, which is nothing. */
export function DifferenceTable({ account, difference, groups, quantity, nameOf }: TableProps) {
  const t = useMessages('replay');
  const [open, setOpen] = useState<string | null>(null);
  const all = groups.reduce((sum, group) => sum + Math.abs(group[quantity]), 0);
  const left = QUANTITIES.map((each) => unattributed(difference, each));
  const isWhole = left.every((n) => n === 0);
  return (
    <div className="table-scroll" role="region" aria-label={t('diffTitle')} tabIndex={0}>
      <table className="tb d parts">
        <thead>
          <tr>
            <th scope="col">{t('attributed')}</th>
            <th scope="col">{t('causedBy')}</th>
            <th scope="col" className="n">
              {t('records')}
            </th>
            {QUANTITIES.map((each) => (
              <th key={each} scope="col" className="n">
                {t(each)}
              </th>
            ))}
            <th scope="col">{t('share')}</th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <Fragment key={group.key}>
              <tr>
                <td>
                  <button
                    type="button"
                    className="expand"
                    aria-expanded={open === group.key}
                    onClick={() => setOpen(open === group.key ? null : group.key)}
                  >
                    <Icon name={open === group.key ? 'down' : 'next'} />
                    {isHand(group) ? <OperatorTag name={nameOf(group)} /> : nameOf(group)}
                  </button>
                </td>
                <td>
                  <CausedBy group={group} account={account} />
                </td>
                <td className="n">{grouped(group.entries)}</td>
                {QUANTITIES.map((each) => (
                  <td key={each} className={group[each] === 0 ? 'n faint' : 'n strong'}>
                    {signed(group[each])}
                  </td>
                ))}
                <td>
                  <Share part={Math.abs(group[quantity])} all={all} />
                </td>
              </tr>
              {open === group.key && <Entries account={account} difference={difference} group={group} />}
            </Fragment>
          ))}
          {!groups.some(isHand) && (
            <tr>
              <td>
                <OperatorTag name={t('operatorRow')} />
              </td>
              <td className="muted">{t('noOperator')}</td>
              <td className="n faint">0</td>
              {QUANTITIES.map((each) => (
                <td key={each} className="n faint">
                  0
                </td>
              ))}
              <td>
                <Share part={0} all={1} />
              </td>
            </tr>
          )}
          <tr className="total">
            <th scope="row">{t('sumOfParts')}</th>
            <td />
            <td className="n">{grouped(groups.reduce((sum, { entries }) => sum + entries, 0))}</td>
            {QUANTITIES.map((each) => (
              <td key={each} className="n">
                {signed(totalOf(groups, each))}
              </td>
            ))}
            <td />
          </tr>
          <tr className="total">
            <th scope="row">{t('difference')}</th>
            <td className="muted num">
              {grouped(difference.to[quantity])} − {grouped(difference.from[quantity])}
            </td>
            <td />
            {QUANTITIES.map((each) => (
              <td key={each} className="n">
                {signed(difference.difference[each])}
              </td>
            ))}
            <td />
          </tr>
          <tr className={isWhole ? 'total good' : 'total wrong'}>
            <th scope="row">{t('nothingLeft')}</th>
            <td />
            <td />
            {left.map((n, i) => (
              <td key={QUANTITIES[i]} className="n">
                {signed(n)}
              </td>
            ))}
            <td>
              {isWhole && <Icon name="check" />} {t(isWhole ? 'everyUnit' : 'notEveryUnit')}
            </td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}

function CausedBy({ group, account }: { group: Group; account: Account }) {
  const t = useMessages('replay');
  const name = account.name;
  if (group.kind === 'day') return <>{`${name} · ${t('daysOf', { n: group.parts.length })}`}</>;
  if (group.kind === 'operator') return <>{t('byOperatorName', { name: group.label })}</>;
  if (group.kind === 'entry') return <>{t('bySystem')}</>;
  if (group.kind === 'order') return <>{group.type === 'RECHARGE_ORDER_BY_MEMBER_GROUP' ? name : t('byRefund')}</>;
  return <>{`${name} · ${group.label}`}</>;
}

function Share({ part, all }: { part: number; all: number }) {
  const share = all === 0 ? 0 : (part / all) * 100;
  return (
    <span className="share num">
      <i>
        <i style={{ width: `${share}%` }} />
      </i>
      {share.toFixed(share > 0 && share < 1 ? 2 : 1)} %
    </span>
  );
}

const FIRST = 4;
const READ = 100;

type EntriesProps = { account: Account; difference: Difference; group: Group; before?: number };

/** The entries of a group, to the moment of each: the newest of them, and before these as many again as are asked for. */
function Entries({ account, difference, group, before = difference.to.seq + 1 }: EntriesProps) {
  const t = useMessages('replay');
  const [isAll, showAll] = useState(before <= difference.to.seq);
  const [isMore, showMore] = useState(false);
  const [part] = group.parts;
  const { data, isError, error, refetch } = useEndpoint(listEntries, {
    userId: String(account.userId),
    fromSeq: String(difference.from.seq + 1),
    toSeq: String(before - 1),
    limit: String(READ),
    type: group.type,
    ...(group.kind === 'day' || !part ? {} : { cause: `${group.kind}:${part.cause.ref}` }),
  });
  if (isError)
    return (
      <tr className="leaf">
        <td colSpan={7}>
          <LoadError error={error} onReload={() => void refetch()} />
        </td>
      </tr>
    );
  if (!data)
    return (
      <tr className="leaf">
        <td colSpan={7} className="muted" role="status">
          {t('loading')}
        </td>
      </tr>
    );
  const { rows, oldestSeq } = data;
  const shown = isAll ? rows : rows.slice(0, FIRST);
  const hasEarlier = oldestSeq > difference.from.seq + 1;
  return (
    <>
      {shown.map((row) => (
        <tr key={row.id} className="leaf">
          <td className="num">
            <Link to={`/ledger/replay/${account.userId}?seq=${row.seq}`}>
              {row.createDateTime.slice(5)} <span className="faint">#{grouped(row.seq)}</span>
            </Link>
          </td>
          <td>{row.words}</td>
          <td className="n">1</td>
          <td className="n">{signed(row.charChangeNum)}</td>
          <td className="n">{signed(row.voiceChangeNum)}</td>
          <td className="n">{signed(row.imageChangeNum)}</td>
          <td className="mono faint" title={row.cmdId}>
            {row.cmdId.slice(0, 13)}…
          </td>
        </tr>
      ))}
      {!isAll && rows.length > FIRST && (
        <More text={t('andMore', { n: grouped(group.entries - FIRST) })} onMore={() => showAll(true)} />
      )}
      {isAll && hasEarlier && !isMore && group.entries > READ && (
        <More text={t('earlierThan', { n: grouped(oldestSeq) })} onMore={() => showMore(true)} />
      )}
      {isMore && <Entries account={account} difference={difference} group={group} before={oldestSeq} />}
    </>
  );
}

function More({ text, onMore }: { text: string; onMore: () => void }) {
  return (
    <tr className="leaf">
      <td colSpan={7}>
        <button type="button" className="lk" onClick={onMore}>
          {text}
          <Icon name="down" />
        </button>
      </td>
    </tr>
  );
}
