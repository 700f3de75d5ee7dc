import type { Response } from '@yiqiao/contracts/endpoint';
import type { listActions } from '@yiqiao/contracts/operator/actions';
import { Link } from 'react-router';
import { useMessages } from '../../../shared/i18n/messages.js';
import { fieldName, fieldsOf, shortValue } from '../../shared/action-names.js';

export type Row = Response<typeof listActions>['rows'][number];

const SHOWN = 3;

/** The fields that say something: of what did not exist before, not those without a value. */
export function changesOf({
  action,
  ...row
}: Row): { name: string; before: unknown; after: unknown; isNew: boolean }[] {
  const [before, after] = [fieldsOf(action, row.before), fieldsOf(action, row.after)];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((name) => ({ name, before: before[name], after: after[name], isNew: !(name in before) }))
    .filter(({ isNew, after: value }) => !isNew || ![null, undefined, false, 0, ''].includes(value as null));
}

/** What changed, or what came out: as much as a row of a list holds. */
export function Change({ row }: { row: Row }) {
  const t = useMessages('actions');
  const changes = changesOf(row);
  if (changes.length === 0) return <span className="muted">—</span>;
  const shown = changes.length > SHOWN + 1 ? changes.slice(0, SHOWN) : changes;
  return (
    <ul className="action-change">
      {shown.map(({ name, before, after, isNew }) => (
        <li key={name}>
          <span className="muted">{fieldName(name)}</span> {!isNew && `${shortValue(name, before)} → `}
          {shortValue(name, after)}
        </li>
      ))}
      {shown.length < changes.length && <li className="faint">{t('more', { n: changes.length - shown.length })}</li>}
    </ul>
  );
}

const PAGES: Readonly<Record<string, (id: string) => string>> = {
  operator: () => '/operators',
  member: (id) => `/members/${id}`,
  family: (id) => `/members/${id}`,
  order: (id) => `/payments/orders/${id}`,
  vendorAccount: (id) => `/channels/${id}`,
  notice: (id) => `/notices/${id}`,
  whatIf: (id) => `/plans?whatIf=${id}`,
  audit: (id) => `/ledger/audits/${id}`,
  close: () => '/ledger/audits',
  config: (id) => `/content/${id}`,
  plan: () => '/plans',
  channel: () => '/plans/channels',
  price: (id) => (id.startsWith('channel:') ? '/plans/channels' : '/plans'),
};

/** What has a number instead of a name is named by its kind. */
const NUMBERED = new Set(['member', 'family', 'notice', 'whatIf', 'audit', 'plan', 'channel', 'reconciliation']);

export function Target({ target }: Pick<Row, 'target'>) {
  const t = useMessages('actions');
  if (!target) return <span className="muted">—</span>;
  const { kind, id } = target;
  const isNumbered = NUMBERED.has(kind) && /^\d+$/.test(id);
  const name = isNumbered
    ? t(`kind_${kind as 'member'}`, { id })
    : kind === 'vendorAccount'
      ? id.replace('/', ' / ')
      : id;
  const to = PAGES[kind]?.(id);
  return to === undefined ? <span title={kind}>{name}</span> : <Link to={to}>{name}</Link>;
}
