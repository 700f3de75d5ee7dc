import { Button, Form, Input, Radio } from 'antd';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Dialog } from '../../../shared/ui/dialog.js';
import type { useRunCommands } from './use-run.js';

type Fields = { userId: string; scope: 'family' | 'account'; depth: 'full' | 'anchors' };

/** Asks whose ledger is to be audited. */
export function StartDialog({
  start,
  onClose,
}: {
  start: ReturnType<typeof useRunCommands>['start'];
  onClose: () => void;
}) {
  const t = useMessages('audits');
  const [form] = Form.useForm<Fields>();
  const submit = ({ userId, scope, depth }: Fields): void => {
    void start.mutateAsync({ scope, depth, userId: Number(userId) }).then(onClose, () => undefined);
  };
  return (
    <Dialog title={t('startTitle')} busy={start.isPending} onClose={onClose}>
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        className="dialog-body audit-start"
        initialValues={{ scope: 'family', depth: 'full' }}
        onFinish={submit}
      >
        <p>{t('startWhy')}</p>
        <Form.Item
          name="userId"
          label={t('startId')}
          extra={t('startIdHint')}
          rules={[{ required: true, pattern: /^[1-9]\d{0,14}$/, message: t('startIdHint') }]}
        >
          <Input inputMode="numeric" autoComplete="off" data-first />
        </Form.Item>
        <Form.Item name="scope" label={t('startWhat')}>
          <Radio.Group
            options={[
              { value: 'family', label: t('startFamily') },
              { value: 'account', label: t('startAccount') },
            ]}
          />
        </Form.Item>
        <Form.Item name="depth" label={t('depth')} extra={t('depthWhy')}>
          <Radio.Group
            options={[
              { value: 'full', label: t('depth_full') },
              { value: 'anchors', label: t('depth_anchors') },
            ]}
          />
        </Form.Item>
        <div className="dialog-actions">
          <Button onClick={onClose} disabled={start.isPending}>
            {t('cancel')}
          </Button>
          <Button type="primary" htmlType="submit" loading={start.isPending}>
            {t('startGo')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
