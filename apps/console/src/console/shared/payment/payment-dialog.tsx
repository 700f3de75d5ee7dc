import { flushOrder, getPayInfo } from '@yiqiao/contracts/orders';
import { PAY_DIALOG_MS } from '@yiqiao/domain/limits';
import type { OrderChannel, PayStatus } from '@yiqiao/domain/orders';
import { Modal } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../../shared/api/api-error.js';
import { useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { refreshUser } from '../../../shared/auth/user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { leaveFor } from '../../../shared/leave.js';
import { grouped, yuan } from '../../../shared/amounts.js';
import { holdingText } from '../../../shared/payment/plan-text.js';
import { usePayStatus } from '../../../shared/payment/use-pay-status.js';
import { Icon } from '../../../shared/ui/icon.js';
import { toast } from '../../../shared/ui/toast.js';
import { useTimeLeft } from '../use-time-left.js';
import { PayCode } from './pay-code.js';
import { openPayTab, type PayForm } from './pay-form.js';
import { paySuccessPath, type Payment } from './payment.js';
import './payment.css';
import '../dialogs/confirm-dialog.css';

/** Instead of a code: a hint that the payment page is open in another tab, and a button that opens it again. */
function PayTabPane({ form, inTab }: { form: PayForm; inTab: boolean }) {
  const t = useMessages('payment');
  const [opened, setOpened] = useState(inTab);
  const open = (): void => setOpened(openPayTab()?.submit(form) ?? false);
  return (
    <div className="pay-tab">
      <Icon name={opened ? 'shield' : 'alert'} />
      <b>{t(opened ? 'inTab' : 'blocked')}</b>
      <p>{t(opened ? 'inTabWhy' : 'blockedWhy')}</p>
      <button type="button" className={opened ? 'button button-default' : 'button button-primary'} onClick={open}>
        {t(opened ? 'openTabAgain' : 'openTab')}
      </button>
    </div>
  );
}

/** Order summary: amount, order number, member type, package, quantity (specification §4). */
function PaymentSummary({ payment: { bought, orderNo } }: { payment: Payment }) {
  const t = useMessages('payment');
  const { name, billingMode, num, salesNum, amount, referenceChannelId } = bought;
  const size = holdingText({ billingMode, num: num / salesNum, referenceChannelId });
  return (
    <>
      <p className="muted">{t('amount')}</p>
      <p className="pay-amount numeric">
        <small>¥</small>
        {yuan(amount)}
      </p>
      <dl className="pay-facts">
        <div>
          <dt>{t('orderNo')}</dt>
          <dd className="numeric">{orderNo}</dd>
        </div>
        <div>
          <dt>{t('memberType')}</dt>
          <dd>{t(billingMode === 'time' ? 'timeUser' : 'charUser')}</dd>
        </div>
        <div>
          <dt>{t('plan')}</dt>
          <dd>{t('planAndSize', { name, size })}</dd>
        </div>
        <div>
          <dt>{t('quantity')}</dt>
          <dd className="numeric">{grouped(salesNum)}</dd>
        </div>
      </dl>
    </>
  );
}

/** The payment status in one line, announced when it changes. */
function PaymentStatus({ status, failing }: { status: PayStatus; failing: boolean }) {
  const t = useMessages('payment');
  if (status === 'W')
    return (
      <p className={failing ? 'pay-status danger' : 'pay-status'} role="status">
        <span className="spin" aria-hidden="true" />
        {t(failing ? 'unreachable' : 'waiting')}
      </p>
    );
  return (
    <p className={status === 'P' ? 'pay-status' : 'pay-status danger'} role="status">
      <Icon name={status === 'P' ? 'check' : 'alert'} />
      {t(status === 'P' ? 'paid' : 'over')}
    </p>
  );
}

/** Countdown, `4:32`, and a progress bar; both in milliseconds. */
function TimeBar({ left, whole }: { left: number; whole: number }) {
  const t = useMessages('payment');
  const seconds = Math.ceil(left / 1_000);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <div className="pay-time" role="timer" aria-label={t('timeLeft')}>
      <p>
        <b className="numeric">{clock}</b> {t('closesIn')}
      </p>
      <div aria-hidden="true">
        <i style={{ width: `${(left / whole) * 100}%` }} />
      </div>
    </div>
  );
}

type AskDialogProps = {
  open: boolean;
  payment: Payment;
  onPaid: () => void;
  onNotPaid: () => void;
  afterClose: () => void;
};

/** "Did you pay?": yes queries the gateway and the order once; no stops polling (specification §4). */
function ConfirmPaidDialog({ open, payment, onPaid, onNotPaid, afterClose }: AskDialogProps) {
  const t = useMessages('payment');
  const buttons = useRef<HTMLDivElement>(null);
  const status = useEndpointMutation(getPayInfo);
  const id = String(payment.orderId);
  const read = async (why: string | null): Promise<void> => {
    const answer = await status.mutateAsync({ id }).catch(() => null); // Refine shows the refusal
    if (answer === null) return;
    if (answer.payStatus === 'P') return onPaid();
    toast.info(why ?? t('notFound'));
    onNotPaid();
  };
  const flush = useEndpointMutation(flushOrder, {
    onSuccess: () => read(null),
    // The gateway may be down or may throttle: the stored status still counts.
    onError: (error) => read(messageOf(error)),
  });
  const busy = flush.isPending;
  return (
    <Modal
      open={open}
      width={420}
      title={<span className="display">{t('askTitle')}</span>}
      okText={t('recharged')}
      cancelText={t('notRecharged')}
      confirmLoading={busy}
      cancelButtonProps={{ disabled: busy }}
      closable={false}
      keyboard={!busy}
      maskClosable={false}
      onOk={() => flush.mutate({ id })}
      onCancel={onNotPaid}
      afterClose={afterClose}
      afterOpenChange={(shown) => shown && buttons.current?.querySelectorAll('button')[1]?.focus()}
      footer={(usual) => (
        <div ref={buttons} className="cf-foot">
          {usual}
        </div>
      )}
    >
      <p className="pay-why">{t('askWhy')}</p>
    </Modal>
  );
}

/** `inTab`: the gateway's page is open in its own tab. `onEnd`: the dialog is closed and the user stays on the page. */
type PaymentDialogProps = { payment: Payment; inTab: boolean; onEnd: () => void };

const TITLES = {
  ALI_NATIVE: 'tabTitle',
  WC_NATIVE: 'wechatTitle',
  ALI_LIAN: 'alipayTitle',
  WC_LIAN: 'wechatTitle',
} as const satisfies Record<OrderChannel, string>;

/** Navigates to the success page once; the balance is refreshed on the way. */
function useLeaving(payment: Payment): () => void {
  const left = useRef(false);
  return () => {
    if (left.current) return;
    left.current = true;
    refreshUser().catch(() => undefined); // the page only shows the old balance a little longer
    void leaveFor(paySuccessPath(payment));
  };
}

/**
 * Shows how to pay and polls until the order is paid, five minutes have passed, or the user closes the dialog and is asked whether
 * it was paid (specification §4).
 */
export function PaymentDialog({ payment, inTab, onEnd }: PaymentDialogProps) {
  const t = useMessages('payment');
  const [asking, setAsking] = useState(false);
  const [open, setOpen] = useState(true);
  const left = useTimeLeft(PAY_DIALOG_MS);
  const timeIsUp = left === 0;
  const { order, failures, gone } = usePayStatus(payment.orderId, open && !timeIsUp);
  const status = order?.payStatus ?? 'W';
  const isOver = status === 'T' || status === 'C';
  const leave = useLeaving(payment);
  useEffect(() => {
    if (status === 'P') leave();
  });
  const closesItself = (timeIsUp || gone) && !asking && open && status === 'W';
  useEffect(() => {
    if (!closesItself) return;
    if (!gone) toast.info(t('closedItself'));
    setOpen(false);
  }, [closesItself, gone, t]);

  const { means, bought } = payment;
  return (
    <>
      <Modal
        open={open && !asking}
        width={664}
        title={<span className="display">{t(TITLES[bought.payChannel])}</span>}
        footer={null}
        maskClosable={false}
        onCancel={() => (isOver ? setOpen(false) : setAsking(true))}
        afterClose={() => !open && onEnd()}
      >
        <div className="pay-body">
          <div className={isOver ? 'pay-way over' : 'pay-way'}>
            {means.kind === 'qr' ? (
              <PayCode text={means.text} payChannel={bought.payChannel} orderNo={payment.orderNo} />
            ) : (
              <PayTabPane form={means.form} inTab={inTab} />
            )}
            <PaymentStatus status={status} failing={failures > 2} />
          </div>
          <div>
            <PaymentSummary payment={payment} />
            {!isOver && <TimeBar left={left} whole={PAY_DIALOG_MS} />}
          </div>
        </div>
      </Modal>
      <ConfirmPaidDialog
        open={open && asking}
        payment={payment}
        onPaid={leave}
        onNotPaid={() => setOpen(false)}
        afterClose={() => !open && onEnd()}
      />
    </>
  );
}
