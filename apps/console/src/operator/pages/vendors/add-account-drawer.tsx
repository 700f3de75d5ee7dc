import { addVendorAccount, listVendorAccounts } from '@yiqiao/contracts/operator/vendors';
import { Button, Drawer, Form, Input, InputNumber } from 'antd';
import { useNavigate } from 'react-router';
import { refusalInto } from '../../../shared/antd/refusal-into.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import {
  type Address,
  AddressFields,
  CapFields,
  CodeItem,
  CostFields,
  NEW_TERMS,
  ReasonItem,
  sentAddress,
  sentTerms,
  type Terms,
} from './account-fields.js';
import type { Channel } from './health-table.js';

type Fields = Terms & Address & { name: string; reason: string };
type Props = { channel: Channel; sandbox: boolean; onClose: () => void };

export function AddAccountDrawer({ channel, sandbox, onClose }: Props) {
  const t = useMessages('vendors');
  const navigate = useNavigate();
  const invalidate = useInvalidateEndpoint();
  const [form] = Form.useForm<Fields>();
  const { mutate, isPending } = useEndpointMutation(addVendorAccount, {
    successMessage: () => t('added'),
    onSuccess: async (_, { name }) => {
      await invalidate(listVendorAccounts);
      await navigate(`/channels/${channel.code}/${encodeURIComponent(name)}`);
    },
    onError: refusalInto(form, {
      VENDOR_ACCOUNT_EXISTS: 'name',
      SIGN_IN_CODE_WRONG: 'code',
      SIGN_IN_CODE_USED: 'code',
      OPERATOR_CODE_REQUIRED: 'code',
    }),
  });
  const submit = ({ name, reason, baseUrl, key, secret, region, model, code, ...terms }: Fields): void =>
    mutate({
      channel: channel.code as Exclude<Channel['code'], 'offline'>,
      name,
      reason,
      ...(sentTerms({ ...NEW_TERMS, ...terms }) as Required<ReturnType<typeof sentTerms>>),
      ...sentAddress({ ...{ baseUrl, key, secret, region, model }, code }),
    });
  return (
    <Drawer
      open
      onClose={onClose}
      width="min(520px, 100vw)"
      title={t('addTo', { channel: channel.name })}
      footer={
        <div className="vendors-foot">
          <span className="faint">{t('effective')}</span>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="primary" loading={isPending} onClick={() => form.submit()}>
            {t('addSubmit')}
          </Button>
        </div>
      }
    >
      <Form
        form={form}
        name="vendor-account"
        layout="vertical"
        requiredMark={false}
        initialValues={NEW_TERMS}
        onFinish={submit}
      >
        <Form.Item
          name="name"
          label={t('name')}
          extra={t('nameHint')}
          rules={[{ required: true, message: t('nameMissing') }]}
        >
          <Input autoComplete="off" maxLength={40} />
        </Form.Item>
        <AddressFields
          code={channel.code}
          hint={sandbox ? t('baseUrlSandbox', { channel: channel.code }) : t('baseUrlHint')}
        />
        <Form.Item name="weight" label={t('weight')}>
          <InputNumber min={1} max={100} precision={0} />
        </Form.Item>
        <CapFields />
        <CostFields />
        <ReasonItem />
        <CodeItem />
      </Form>
    </Drawer>
  );
}
