import { getNotice, listNotices, withdrawNotice } from '@yiqiao/contracts/operator/notices';
import { Form, Input, Modal } from 'antd';
import { useNavigate } from 'react-router';
import { refusalInto } from '../../../shared/antd/refusal-into.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import type { Notice } from './fields.js';

/** Says what happens, and asks why. A draft is thrown away. */
export function WithdrawDialog({ notice, onClose }: { notice: Notice; onClose: () => void }) {
  const t = useMessages('notice-desk');
  const navigate = useNavigate();
  const invalidate = useInvalidateEndpoint();
  const [form] = Form.useForm<{ reason: string }>();
  const isDraft = notice.state === 'draft';
  const { mutate, isPending } = useEndpointMutation(withdrawNotice, {
    successMessage: () => t(isDraft ? 'discarded' : 'withdrawn'),
    onSuccess: async () => {
      onClose();
      if (isDraft) await navigate('/notices', { replace: true });
      await Promise.all([invalidate(listNotices), ...(isDraft ? [] : [invalidate(getNotice)])]);
    },
    onError: refusalInto(form),
  });
  return (
    <Modal
      open
      title={t(isDraft ? 'discardTitle' : 'withdrawTitle', { title: notice[language].title || t('noTitle') })}
      okText={t(isDraft ? 'discard' : 'withdraw')}
      okButtonProps={{ danger: true, loading: isPending }}
      cancelText={t('cancel')}
      maskClosable={false}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <p className="remark">{t(isDraft ? 'discardWhy' : 'withdrawWhy')}</p>
      <Form
        form={form}
        name="notice-withdrawal"
        layout="vertical"
        requiredMark={false}
        className="withdraw-form"
        onFinish={({ reason }) => mutate({ id: String(notice.id), reason })}
      >
        <Form.Item
          name="reason"
          label={t('reason')}
          rules={[{ required: true, whitespace: true, message: t('reasonRequired') }]}
        >
          <Input maxLength={500} autoComplete="off" />
        </Form.Item>
      </Form>
    </Modal>
  );
}
