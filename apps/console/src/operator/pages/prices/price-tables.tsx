import { Switch } from 'antd';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { grouped, yuan } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Card } from '../../../shared/ui/card.js';
import { Icon } from '../../../shared/ui/icon.js';
import { type Change, type Field, type Prices, type Subject, subjectsOf, valuesOf, type Values } from './draft.js';
import { unitPrice, usePriceWords } from './price-words.js';

type TableProps = {
  prices: Prices;
  changes: readonly Change[];
  onEdit: (subject: Subject) => void;
  onSet: (subject: Subject, values: Values) => void;
};
type Column = { label: string; end?: boolean; hidden?: boolean };

/** Not sold: its size is what newcomers get. */
const TRIAL = 1;

function Table(props: { title: string; note?: ReactNode; columns: Column[]; children: ReactNode }) {
  const { title, note, columns, children } = props;
  return (
    <Card title={title} note={note}>
      <div className="table-scroll rows-scroll" role="region" aria-label={title} tabIndex={0}>
        <table className="rows-table numeric">
          <thead>
            <tr>
              {columns.map(({ label, end, hidden }) => (
                <th key={label} scope="col" className={end ? 'end' : undefined}>
                  {hidden ? <span className="visually-hidden">{label}</span> : label}
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

/** A value, or what a draft makes of it. */
function Value(props: { subject: Subject; field: Field; values: Values; onEdit: TableProps['onEdit'] } & Words) {
  const { subject, field, values, words, onEdit } = props;
  const was = subject.values[field] ?? 0;
  const will = values[field];
  const text = (n: number): string => words.value(field, n, subject.billingMode);
  if (will === undefined) return text(was);
  return (
    <span className="price-edited">
      <s className="faint">{text(was)}</s>
      <button type="button" onClick={() => onEdit(subject)}>
        {text(will)}
        <Icon name="pencil" />
      </button>
    </span>
  );
}
type Words = { words: ReturnType<typeof usePriceWords> };

export function Plans({ prices, changes, onEdit, onSet }: TableProps) {
  const words = usePriceWords(prices);
  const { t } = words;
  const columns = [
    { label: t('columnId') },
    { label: t('columnPlan') },
    { label: t('columnMode') },
    { label: t('columnNum'), end: true },
    { label: t('columnMedia'), end: true },
    { label: t('columnPrice'), end: true },
    { label: t('columnUnit'), end: true },
    { label: t('columnReference') },
    { label: t('columnSold'), end: true },
    { label: t('columnOnSale') },
    { label: t('columnActions'), end: true, hidden: true },
  ];
  const subjects = subjectsOf(prices);
  const subjectOf = (id: number): Subject | undefined => subjects.find(({ target }) => target === `plan:${id}`);
  const trial = subjectOf(TRIAL);
  return (
    <Table
      title={t('plans')}
      columns={columns}
      note={trial && <Trial subject={trial} changes={changes} onEdit={onEdit} />}
    >
      {prices.plans.map(({ id, name, billingMode, tranChannelId, sold, request }) => {
        const subject = subjectOf(id);
        if (!subject || id === TRIAL) return null;
        const values = valuesOf(changes, subject.target);
        const { salePrice = 0, num = 0, onSale } = { ...subject.values, ...values };
        const cell = { subject, values, words, onEdit };
        const isEdited = Object.keys(values).length > 0;
        const unit = unitPrice(salePrice, num);
        return (
          <tr key={id} className={isEdited ? 'edited' : undefined}>
            <td className="faint">{id}</td>
            <th scope="row">
              <b className="dynamic-text">{name}</b>
            </th>
            <td className="muted">{t(`mode_${billingMode}`)}</td>
            <td className="end">
              <Value field="num" {...cell} />
            </td>
            <td className="end muted">
              <Value field="voiceNum" {...cell} /> / <Value field="imageNum" {...cell} />
            </td>
            <td className="end">
              <Value field="salePrice" {...cell} />
            </td>
            <td className={'salePrice' in values || 'num' in values ? 'end hand-text' : 'end'}>
              {billingMode === 'time' ? grouped(Math.floor(unit)) : unit.toFixed(1)}{' '}
              <span className="faint">{t(billingMode === 'time' ? 'perMinute' : 'perCharacter')}</span>
            </td>
            <td className="muted dynamic-text">
              <Value field="referenceChannelId" {...cell} />
              {tranChannelId !== null && t('only')}
            </td>
            <td className="end">{t('sold', { n: grouped(sold) })}</td>
            <td>
              <Switch
                size="small"
                className={'onSale' in values ? 'price-switch edited' : 'price-switch'}
                checked={onSale === 1}
                disabled={request !== null}
                aria-label={`${t('columnOnSale')} ${name}`}
                onChange={(checked) => onSet(subject, { onSale: checked ? 1 : 0 })}
              />
            </td>
            <td className="end">
              <EditLink subject={subject} onEdit={onEdit} />
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

function Trial({ subject, changes, onEdit }: { subject: Subject } & Pick<TableProps, 'changes' | 'onEdit'>) {
  const t = useMessages('prices');
  const { num = 0, voiceNum = 0, imageNum = 0 } = { ...subject.values, ...valuesOf(changes, subject.target) };
  return (
    <>
      {t('trial', {
        name: subject.name,
        chars: grouped(num),
        voice: grouped(voiceNum),
        images: grouped(imageNum),
      })}{' '}
      <EditLink subject={subject} onEdit={onEdit} />
    </>
  );
}

export function Channels({ prices, changes, onEdit }: TableProps) {
  const words = usePriceWords(prices);
  const { t } = words;
  const columns = [
    { label: t('columnChannel') },
    { label: t('columnRate'), end: true },
    { label: t('columnWorth'), end: true },
    { label: t('columnReferring') },
    { label: t('columnSince') },
    { label: t('columnState') },
    { label: t('columnActions'), end: true, hidden: true },
  ];
  const subjects = subjectsOf(prices);
  return (
    <Table title={t('channels')} note={t('channelsNote')} columns={columns}>
      {prices.channels.map(({ id, code, name, enabled, since }) => {
        const subject = subjects.find(({ target }) => target === `channel:${code}`);
        if (!subject) return null;
        const values = valuesOf(changes, subject.target);
        const price = values.price ?? subject.values.price ?? 0;
        const plans = prices.plans.filter(({ referenceChannelId, onSale }) => onSale && referenceChannelId === id);
        return (
          <tr key={id} className={values.price === undefined ? undefined : 'edited'}>
            <th scope="row">
              <b className="dynamic-text">{name}</b>
            </th>
            <td className="end">
              <Value field="price" {...{ subject, values, words, onEdit }} />
            </td>
            <td className={values.price === undefined ? 'end muted' : 'end hand-text'}>
              {/* A micro-yuan a character is a yuan per million. */}
              {t('perMillion', { n: yuan(price * 100) })}
            </td>
            <td className="muted price-referring">
              {plans.length === 0 ? '—' : plans.map((plan) => plan.name).join(t('and'))}
            </td>
            <td className="muted">{since.startsWith('1970') ? t('first') : since}</td>
            <td>
              <span className={enabled ? 'state ok' : 'state'}>{t(enabled ? 'channelOn' : 'channelOff')}</span>
            </td>
            <td className="end">
              <EditLink subject={subject} onEdit={onEdit} />
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

function EditLink({ subject, onEdit }: { subject: Subject; onEdit: TableProps['onEdit'] }) {
  const t = useMessages('prices');
  if (subject.request !== null)
    return (
      <Link className="badge hand" to={`/approvals/${subject.request}`} aria-label={`${t('waits')} ${subject.name}`}>
        {t('waits')}
      </Link>
    );
  return (
    <button
      type="button"
      className="link link-button"
      aria-label={`${t('change')} ${subject.name}`}
      onClick={() => onEdit(subject)}
    >
      {t('change')}
    </button>
  );
}
