import { continueOrder, flushOrder } from '@yiqiao/contracts/orders';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import { showRefusal } from '../../../shared/api/show-refusal.js';
import { useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import type { DialogFrame } from '../../shared/dialogs/dialog-frame.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { usePayment } from '../../shared/payment/use-payment.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import { toast } from '../../../shared/ui/toast.js';
import { packageName, type Order } from './order.js';
import { OrderList, StatusFilter, type OrderHandlers } from './order-list.js';
import { useOrderTable } from './use-order-table.js';
import './orders.css';

const OrderDrawer = lazy(async () => ({ default: (await import('./order-drawer.js')).OrderDrawer }));
const CancelDialog = lazy(async () => ({ default: (await import('./cancel-dialog.js')).CancelDialog }));

type Shown = { order: Order; open: boolean };

/** The order of an open dialog: kept until the dialog has closed, with its current data from the list. */
function useShown(rows: readonly Order[]) {
  const [shown, setShown] = useState<Shown | null>(null);
  const frame: DialogFrame = {
    open: shown?.open ?? false,
    onClose: () => setShown((now) => now && { ...now, open: false }),
    afterClose: () => setShown((now) => (now?.open ? now : null)),
  };
  const order = shown && (rows.find(({ id }) => id === shown.order.id) ?? shown.order);
  return { order, frame, show: (next: Order) => setShown({ order: next, open: true }) };
}

/** Continues the payment of an unpaid order. */
function usePay(look: () => void) {
  const { busy, begin, dialog } = usePayment({ onEnd: look });
  const [paying, setPaying] = useState<number | null>(null);
  const { mutateAsync } = useEndpointMutation(continueOrder, { onError: () => undefined }); // `usePayment` calls `refused`
  const pay = (order: Order): void => {
    const { id, payChannel, translationBillingMode: billingMode, num, salesNum, amount, referenceChannelId } = order;
    if (busy || payChannel === 'USDT') return; // USDT makes no order
    setPaying(id);
    begin({
      bought: { payChannel, name: packageName(order), billingMode, num, salesNum, amount, referenceChannelId },
      ask: () => mutateAsync({ id }),
      refused: (error) => {
        showRefusal(error);
        look(); // it may no longer be open
      },
    });
  };
  return { pay, paying: busy ? paying : null, dialog };
}

/** Asks the gateway whether an order is paid. The list then shows its status and announces a payment. */
function useFlush(look: () => void): { flush: (order: Order) => void; asking: number | null } {
  const t = useMessages('orders');
  const [asked, setAsked] = useState<number | null>(null);
  const { mutate, isPending } = useEndpointMutation(flushOrder, {
    onSuccess: ({ payStatus }) => {
      if (payStatus === 'W') toast.info(t('notPaidYet'));
      if (payStatus === 'T' || payStatus === 'C') toast.info(t('isClosed'));
      look();
    },
  });
  const flush = (order: Order): void => {
    if (isPending) return;
    setAsked(order.id);
    mutate({ id: String(order.id) });
  };
  return { flush, asking: isPending ? asked : null };
}

/** /UserCenterOrder: the orders of a main account (specification §2). */
export default function OrdersPage() {
  const t = useMessages('orders');
  const table = useOrderTable();
  const { flush, asking } = useFlush(table.look);
  const { pay, paying, dialog } = usePay(table.look);
  const details = useShown(table.rows);
  const cancelling = useShown(table.rows);
  const handlers: OrderHandlers = { show: details.show, pay, flush, cancel: cancelling.show, busy: asking ?? paying };
  return (
    <>
      <PageHeader title={t('title')} note={t('note')}>
        {table.total > 0 && (
          <Link className="button button-primary" to="/UserCenterRecharge">
            {t('recharge')}
          </Link>
        )}
      </PageHeader>
      <section className="card lt-card" aria-label={t('title')} aria-busy={table.tableQuery.isFetching}>
        <StatusFilter table={table} />
        <OrderList table={table} handlers={handlers} />
      </section>
      <Suspense>
        {details.order && (
          <OrderDrawer
            key={details.order.id}
            frame={details.frame}
            order={details.order}
            handlers={handlers}
            look={table.look}
          />
        )}
        {cancelling.order && (
          <CancelDialog key={cancelling.order.id} frame={cancelling.frame} order={cancelling.order} look={table.look} />
        )}
      </Suspense>
      {dialog}
    </>
  );
}
