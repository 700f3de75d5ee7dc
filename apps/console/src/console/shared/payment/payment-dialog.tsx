import { PAY_DIALOG_MS } from '@yiqiao/domain/limits';
import { Modal } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { refreshUser } from '../../../shared/auth/user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { leaveFor } from '../../../shared/leave.js';
import { toast } from '../../../shared/ui/toast.js';
import { AskDialog } from './ask-dialog.js';
import { PayCode } from './pay-code.js';
import { PayTabPane } from './pay-tab-pane.js';
import { PaymentFacts } from './payment-facts.js';
import { paySuccessPath, type Payment } from './payment.js';
import { PaymentStatus } from './payment-status.js';
import { TimeBar } from './time-bar.js';
import { usePayStatus } from '../../../shared/payment/use-pay-status.js';
import { useTimeLeft } from '../use-time-left.js';
import './payment.css';

/** `inTab`: the gateway's page stands in a tab of its own. `onEnd`: it is closed, and the person stays on the page. */
type PaymentDialogProps = { payment: Payment; inTab: boolean; onEnd: () => void };

const TITLES = {
  ALI_NATIVE: 'tabTitle',
  WC_NATIVE: 'wechatTitle',
  ALI_LIAN: 'alipayTitle',
  WC_LIAN: 'wechatTitle',
} as const;

/** Leaves for the success page once; the balance is asked for again on the way. */
function useLeaving(payment: Payment): () => void {
  const left = useRef(false);
  return () => {
    if (left.current) return;
    left.current = true;
    refreshUser().catch(() => undefined); // the page shows the old figures for longer, no more
    void leaveFor(paySuccessPath(payment));
  };
}

/**
 * Shows how to pay and watches for the payment until it comes, five minutes have passed, or the person closes it, who is then asked
 * whether it was paid (specification §4).
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
        centered
        className="pay-dialog"
        title={<span className="display">{t(TITLES[bought.payChannel])}</span>}
        footer={null}
        maskClosable={false}
        onCancel={() => (isOver ? setOpen(false) : setAsking(true))}
        afterClose={() => !open && onEnd()}
      >
        <div className="pay-body">
          <div className={isOver ? 'pay-way over' : 'pay-way'}>
            {means.kind === 'qr' ? (
              <PayCode text={means.text} payChannel={bought.payChannel} />
            ) : (
              <PayTabPane form={means.form} inTab={inTab} />
            )}
            <PaymentStatus status={status} failing={failures > 2} />
          </div>
          <div>
            <PaymentFacts payment={payment} />
            {!isOver && <TimeBar left={left} whole={PAY_DIALOG_MS} />}
          </div>
        </div>
      </Modal>
      <AskDialog
        open={open && asking}
        payment={payment}
        onPaid={leave}
        onNotPaid={() => setOpen(false)}
        afterClose={() => !open && onEnd()}
      />
    </>
  );
}
