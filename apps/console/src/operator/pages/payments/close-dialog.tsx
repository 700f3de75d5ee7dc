import { REQUEST_REASON_MAX } from '@yiqiao/domain/operators';
import { CLOSE_REASON_MIN } from '@yiqiao/domain/reconciliation';
import { Button, Form, Input } from 'antd';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Dialog } from '../../../shared/ui/dialog.js';

type Props = { about: string; busy: boolean; onClose: () => void; onSubmit: (reason: string) => void };

/** Asks why an exception or a difference may be closed. */
export function CloseDialog({ about, busy, onClose, onSubmit }: Props) {
  const t = useMessages('payments');
  return (
    <Dialog title={t('closeTitle')} busy={busy} onClose={onClose}>
      <Form<{ reason: string }>
        layout="vertical"
        className="dialog-body payment-dialog"
        requiredMark={false}
        onFinish={({ reason }) => onSubmit(reason.trim())}
      >
        <p className="muted">{about}</p>
        <Form.Item
          name="reason"
          label={t('closeReason')}
          extra={t('closeHint')}
          rules={[{ required: true, whitespace: true, min: CLOSE_REASON_MIN, message: t('closeHint') }]}
        >
          <Input.TextArea rows={3} maxLength={REQUEST_REASON_MAX} data-first />
        </Form.Item>
        <div className="dialog-actions">
          <Button onClick={onClose} disabled={busy}>
            {t('cancel')}
          </Button>
          <Button type="primary" htmlType="submit" loading={busy}>
            {t('closeGo')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
