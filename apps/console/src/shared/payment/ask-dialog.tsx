import { flushOrder, getPayInfo } from '@yiqiao/contracts/orders';
import { Modal } from 'antd';
import { useRef } from 'react';
import { messageOf } from '../api/api-error.js';
import { call } from '../api/call.js';
import { useAction } from '../dialogs/use-action.js';
import { useTexts } from '../i18n/texts.js';
import { toast } from '../ui/toast.js';
import type { Payment } from './payment.js';
import '../dialogs/confirm-dialog.css';

type AskDialogProps = {
  open: boolean;
  payment: Payment;
  onPaid: () => void;
  onNotPaid: () => void;
  afterClose: () => void;
};

/** "Did you pay?": yes has the gateway asked once and looks once at the order; no stops everything (specification §4). */
export function AskDialog({ open, payment, onPaid, onNotPaid, afterClose }: AskDialogProps) {
  const t = useTexts('payment');
  const { busy, run } = useAction();
  const buttons = useRef<HTMLDivElement>(null);
  const check = async (): Promise<void> => {
    const id = String(payment.orderId);
    // The gateway may be silent, or was asked too often: what is known already still counts.
    const why = await call(flushOrder, { id }).then(() => null, messageOf);
    const { payStatus } = await call(getPayInfo, { id });
    if (payStatus === 'P') return onPaid();
    toast.info(why ?? t('notFound'));
    onNotPaid();
  };
  return (
    <Modal
      open={open}
      width={420}
      centered
      title={<span className="display">{t('askTitle')}</span>}
      okText={t('recharged')}
      cancelText={t('notRecharged')}
      confirmLoading={busy}
      cancelButtonProps={{ disabled: busy }}
      closable={false}
      keyboard={!busy}
      maskClosable={false}
      onOk={() => run(check)}
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
