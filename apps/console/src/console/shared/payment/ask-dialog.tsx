import { flushOrder, getPayInfo } from '@yiqiao/contracts/orders';
import { Modal } from 'antd';
import { useRef } from 'react';
import { messageOf } from '../../../shared/api/api-error.js';
import { useEndpointMutation } from '../../../shared/api/use-endpoint.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { toast } from '../../../shared/ui/toast.js';
import type { Payment } from './payment.js';
import '../../../shared/dialogs/confirm-dialog.css';

type AskDialogProps = {
  open: boolean;
  payment: Payment;
  onPaid: () => void;
  onNotPaid: () => void;
  afterClose: () => void;
};

/** "Did you pay?": yes has the gateway asked once and looks once at the order; no stops everything (specification §4). */
export function AskDialog({ open, payment, onPaid, onNotPaid, afterClose }: AskDialogProps) {
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
    // The gateway may be silent, or was asked too often: what is known already still counts.
    onError: (error) => read(messageOf(error)),
  });
  const busy = flush.isPending;
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
