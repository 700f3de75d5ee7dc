import { nickname as nicknameRule } from '@yiqiao/contracts/fields';
import { updateUser } from '@yiqiao/contracts/user';
import { Form, Input, Modal } from 'antd';
import { messageOf } from '../../../shared/api/api-error.js';
import { useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { refreshUser, useMember } from '../../../shared/auth/user.js';
import { whileBusy } from '../dialogs/dialog-frame.js';
import { antdRule, FormField } from '../../../shared/antd/form-field.js';
import { clearable } from '../../../shared/antd/clearable.js';
import { byContract } from '../../../shared/form/contract-rules.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { toast } from '../../../shared/ui/toast.js';

/** Changes the member's nickname; an error leaves the dialog open with the input (specification §8). */
export function NicknameDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useMessages('nickname');
  const { nickname } = useMember();
  const [form] = Form.useForm<{ nickname: string }>();
  const { mutate, isPending } = useEndpointMutation(updateUser, {
    successMessage: () => t('changed'),
    onSuccess: async () => {
      // The change holds even if the new name cannot be fetched right now.
      await refreshUser().catch(() => undefined);
      onClose();
    },
    onError: (error) => {
      const why = messageOf(error);
      if (why !== null) toast.error(`${t('failed')}: ${why}`);
    },
  });

  return (
    <Modal
      open={open}
      title={<span className="display">{t('change')}</span>}
      width={440}
      destroyOnHidden
      {...whileBusy(isPending)}
      onCancel={onClose}
      onOk={() => form.submit()}
      afterOpenChange={(shown) => shown && form.focusField('nickname')}
    >
      <Form
        form={form}
        preserve={false}
        layout="vertical"
        requiredMark={false}
        initialValues={{ nickname }}
        onFinish={mutate}
      >
        <FormField
          name="nickname"
          label={t('label')}
          rules={[antdRule(byContract(nicknameRule))]}
          style={{ marginBottom: 24 }}
        >
          <Input autoComplete="nickname" allowClear={clearable} />
        </FormField>
      </Form>
    </Modal>
  );
}
