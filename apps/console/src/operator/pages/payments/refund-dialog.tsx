import { useGetIdentity } from '@refinedev/core';
import type { Response } from '@yiqiao/contracts/endpoint';
import type { getPaymentOrder } from '@yiqiao/contracts/operator/payments';
import { OPERATOR_ROLES, REQUEST_REASON_MAX, REQUEST_REASON_MIN, type OperatorRole } from '@yiqiao/domain/operators';
import { Button, Form, Input } from 'antd';
import { grouped, yuan } from '../../../shared/amounts.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Dialog } from '../../../shared/ui/dialog.js';
import { listed } from '../../shared/listed.js';
import type { usePaymentCommands } from './use-payment-commands.js';

type Payment = Response<typeof getPaymentOrder>['payments'][number];
type Props = {
  payment: Payment & { refundable: NonNullable<Payment['refundable']> };
  request: ReturnType<typeof usePaymentCommands>['request'];
  onClose: () => void;
};

/** Asks for a refund that somebody else decides. */
export function RefundDialog({ payment, request, onClose }: Props) {
  const t = useMessages('payments');
  const { data: me } = useGetIdentity<{ name: string; role: OperatorRole }>();
  const { amount, quota } = payment.refundable;
  const typed = yuan(amount);
  const submit = ({ reason }: { reason: string }): void => {
    const asked = {
      kind: 'payment.refund' as const,
      target: String(payment.id),
      payload: { amount },
      reason: reason.trim(),
    };
    void request.mutateAsync(asked).then(onClose, () => undefined);
  };
  return (
    <Dialog title={t('refundTitle', { amount: typed })} busy={request.isPending} onClose={onClose}>
      <Form
        layout="vertical"
        className="dialog-body payment-dialog"
        requiredMark={false}
        initialValues={{ reason: payment.verdict === 'double' ? t('reasonDouble') : '' }}
        onFinish={submit}
      >
        <dl className="facts">
          <div>
            <dt>{t('which')}</dt>
            <dd>
              <span className="mono">{payment.tradeNo}</span>
              <br />
              <small className="faint">
                {listed(payment.paidAt ?? payment.receivedAt, t(`verdict_${payment.verdict}`))}
              </small>
            </dd>
          </div>
          <div>
            <dt>{t('where')}</dt>
            <dd>{t('whereWords', { gateway: t(`gateway_${payment.gateway}`) })}</dd>
          </div>
          <div>
            <dt>{t('effect')}</dt>
            <dd className="numeric">
              {quota
                ? t(`effect_${quota.kind}`, { before: grouped(quota.before), after: grouped(quota.after) })
                : t('noEffect')}
            </dd>
          </div>
        </dl>
        <Form.Item
          name="reason"
          label={t('reason')}
          rules={[{ required: true, whitespace: true, min: REQUEST_REASON_MIN, message: t('reasonShort') }]}
        >
          <Input.TextArea rows={2} maxLength={REQUEST_REASON_MAX} data-first />
        </Form.Item>
        <Form.Item
          name="amount"
          label={t('typeAmount')}
          rules={[
            { required: true, message: t('amountWrong', { amount: typed }) },
            {
              validator: (_, value?: string) =>
                !value || value.trim().replaceAll(',', '') === typed.replaceAll(',', '')
                  ? Promise.resolve()
                  : Promise.reject(new Error(t('amountWrong', { amount: typed }))),
            },
          ]}
        >
          <Input prefix="¥" inputMode="decimal" autoComplete="off" style={{ width: 220 }} />
        </Form.Item>
        <div className="two-persons">
          <div>
            <span className="avatar" aria-hidden="true">
              {[...(me?.name ?? '')][0]?.toUpperCase()}
            </span>
            <span>
              {me?.name}
              <small>{me && listed(OPERATOR_ROLES[me.role][language], t('asks'))}</small>
            </span>
          </div>
          <svg viewBox="0 0 74 34" fill="none" stroke="currentColor" strokeWidth="1.25" aria-hidden="true">
            <path d="M2 33C10 8 64 8 72 33M0 12Q37 3 74 12" />
          </svg>
          <div>
            <span>
              {t('somebodyElse')}
              <small>{t('approves')}</small>
            </span>
            <span className="avatar open" aria-hidden="true">
              ?
            </span>
          </div>
        </div>
        <p className="muted">{t('twoPersons')}</p>
        <div className="dialog-actions">
          <Button onClick={onClose} disabled={request.isPending}>
            {t('cancel')}
          </Button>
          <Button type="primary" htmlType="submit" loading={request.isPending}>
            {t('requestGo')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
