import type { Response } from '@yiqiao/contracts/endpoint';
import { EXCEPTION_KINDS, listExceptions } from '@yiqiao/contracts/operator/payments';
import { Button, Segmented } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { grouped, yuan } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Icon, type IconName } from '../../../shared/ui/icon.js';
import { listed } from '../../shared/listed.js';
import { Loaded } from '../../shared/states.js';
import { usePollInterval } from '../../shared/presence.js';
import { Beside } from './beside-exceptions.js';
import { CloseDialog } from './close-dialog.js';
import { downloadOf, PaymentsHeader, useAddress } from './payments-frame.js';
import { usePaymentCommands } from './use-payment-commands.js';

type Page = Response<typeof listExceptions>;
type Row = Page['rows'][number];
type Kind = Row['what'];

const EVERY_MS = 30_000;
const LOOKS: Record<Kind, { icon: IconName; warning?: true }> = {
  double: { icon: 'card' },
  wrongAmount: { icon: 'alert' },
  refundRefused: { icon: 'close' },
  afterLogOff: { icon: 'signOut' },
  tooLarge: { icon: 'alert' },
  refundStarted: { icon: 'clock', warning: true },
  unanswered: { icon: 'noSignal', warning: true },
  wrongOrder: { icon: 'alert' },
  unknownOrder: { icon: 'search' },
  stranger: { icon: 'info', warning: true },
  forged: { icon: 'lock', warning: true },
  waiting: { icon: 'clock', warning: true },
};
const SHOWS = {
  all: EXCEPTION_KINDS,
  refund: ['double', 'wrongAmount', 'refundRefused', 'afterLogOff', 'tooLarge'],
  gateway: ['refundStarted', 'unanswered', 'waiting'],
} satisfies Record<string, readonly Kind[]>;
type Show = keyof typeof SHOWS;
const DO = {
  double: 'refundSecond',
  wrongAmount: 'check',
  refundRefused: 'refundAgain',
  afterLogOff: 'refund',
  tooLarge: 'refund',
  refundStarted: 'seeRefund',
} as const;

const isShow = (text: string | undefined): text is Show => text !== undefined && Object.hasOwn(SHOWS, text);
/** Hours and minutes. */
const ageOf = (seconds: number): string =>
  `${Math.floor(seconds / 3600)}:${String(Math.floor((seconds % 3600) / 60)).padStart(2, '0')}`;

/** Payments that need somebody, by kind, each with what to do. */
export default function ExceptionsPage() {
  const t = useMessages('payments');
  const query = useEndpoint(listExceptions, {}, { refetchInterval: usePollInterval(EVERY_MS) });
  const { filters, change } = useAddress(['show']);
  const show = isShow(filters.show) ? filters.show : 'all';
  return (
    <>
      <PaymentsHeader note={t('note')}>
        <a className="button button-default" href={downloadOf('/exceptions/csv', {})} download>
          <Icon name="download" />
          {t('download')}
        </a>
        <Link className="button button-default" to="/payments/reconciliations">
          <Icon name="refresh" />
          {t('reconcileNow')}
        </Link>
      </PaymentsHeader>
      <div className="grid">
        <div className="span-8">
          <section className="card">
            <Loaded query={query} rows={8}>
              {(page) => (
                <>
                  <div className="exceptions-head">
                    <h2 className="numeric">
                      {t('waitingTitle', { n: grouped(page.total), amount: yuan(page.amount) })}
                    </h2>
                    <Segmented<Show>
                      size="small"
                      aria-label={t('show')}
                      value={show}
                      options={[
                        { value: 'all', label: t('all') },
                        { value: 'refund', label: t('toRefund') },
                        { value: 'gateway', label: t('atGateway') },
                      ]}
                      onChange={(value) => change({ show: value === 'all' ? undefined : value })}
                    />
                  </div>
                  <Kinds page={page} show={show} />
                </>
              )}
            </Loaded>
          </section>
        </div>
        <div className="span-4 payment-column">
          <Beside />
        </div>
      </div>
    </>
  );
}

function Kinds({ page: { rows, total }, show }: { page: Page; show: Show }) {
  const t = useMessages('payments');
  const of = (kind: Kind): Row[] => rows.filter(({ what }) => what === kind);
  const none = EXCEPTION_KINDS.filter((kind) => of(kind).length === 0);
  if (total === 0)
    return (
      <Empty state="done" title={t('nothing')}>
        {t('nothingWhy')}
      </Empty>
    );
  const names = listed(...none.map((kind) => t(`is_${kind}`)));
  return (
    <>
      {SHOWS[show].map((kind) => {
        const found = of(kind);
        if (found.length === 0) return null;
        const { icon, warning } = LOOKS[kind];
        return (
          <section key={kind} className="exception-kind">
            <header>
              <span className={`exception-icon ${warning ? 'warning' : ''}`}>
                <Icon name={icon} />
              </span>
              <div>
                <h3>
                  {t(`is_${kind}`)} <span className="faint numeric">{grouped(found.length)}</span>
                </h3>
                <p>{t(`todo_${kind}`)}</p>
              </div>
            </header>
            {found.map((row) => (
              <ExceptionRow key={row.key} row={row} />
            ))}
          </section>
        );
      })}
      {none.length > 0 && <p className="payments-foot">{t('noneOf', { names })}</p>}
    </>
  );
}

function ExceptionRow({ row }: { row: Row }) {
  const t = useMessages('payments');
  const { ask, close, maySettle, mayClose } = usePaymentCommands();
  const [closing, setClosing] = useState(false);
  const { what, orderNo, amount, due, why, gateway, times } = row;
  const page = orderNo !== null && row.userId !== null ? `/payments/orders/${orderNo}` : null;
  const action = what in DO ? DO[what as keyof typeof DO] : 'open';
  return (
    <div className="exception" data-row>
      {page === null ? (
        <span className="mono wide">{orderNo ?? row.tradeNo ?? '–'}</span>
      ) : (
        <Link className="link mono wide" to={page}>
          {orderNo}
        </Link>
      )}
      <span className="dynamic-text">
        {row.userId === null
          ? times > 1
            ? `× ${grouped(times)}`
            : '–'
          : (row.memberName ?? `${t('loggedOff')} #${row.userId}`)}
        {what === 'wrongAmount' && due !== null && <small>{t('due', { amount: yuan(due) })}</small>}
        {why !== null && <small>{why}</small>}
        {row.requestId !== null && (
          <Link className="hand-text" to={`/approvals/${row.requestId}`}>
            <small>{t('pendingRequest')}</small>
          </Link>
        )}
      </span>
      <span className="muted narrow-out">{gateway && t(`gateway_${gateway}`)}</span>
      <b className="numeric right">{amount !== null && `¥${yuan(amount)}`}</b>
      <time className="faint numeric right narrow-out" title={row.at}>
        {ageOf(row.waitedSeconds)}
      </time>
      <span className="exception-actions">
        {what === 'unanswered' && orderNo !== null ? (
          <Button
            size="small"
            disabled={!maySettle?.can}
            loading={ask.isPending}
            onClick={() => ask.mutate({ no: orderNo })}
          >
            {t('ask')}
          </Button>
        ) : (
          page !== null && (
            <Link className="button button-default button-small" to={page}>
              {t(action)}
            </Link>
          )
        )}
        <Button
          size="small"
          type="text"
          disabled={!mayClose?.can}
          title={mayClose?.reason}
          onClick={() => setClosing(true)}
        >
          {t('close')}
        </Button>
      </span>
      {closing && (
        <CloseDialog
          about={`${t(`is_${what}`)} ${orderNo ?? row.tradeNo ?? ''}`}
          busy={close.isPending}
          onClose={() => setClosing(false)}
          onSubmit={(reason) =>
            void close.mutateAsync({ key: row.key, reason }).then(
              () => setClosing(false),
              () => undefined,
            )
          }
        />
      )}
    </div>
  );
}
