import type { Response } from '@yiqiao/contracts/endpoint';
import { inviteOperator, listOperators, renewOperator, signOutOperator } from '@yiqiao/contracts/operator/operators';
import { changeLimits, getLimits, listRequests, makeRequest } from '@yiqiao/contracts/operator/requests';
import {
  OPERATOR_ROLES,
  operatorRoles,
  REQUEST_REASON_MAX,
  REQUEST_REASON_MIN,
  type OperatorRole,
} from '@yiqiao/domain/operators';
import { Button, Form, Input, InputNumber, Modal, Select, type FormInstance } from 'antd';
import { useState, type ReactNode } from 'react';
import { refusalInto } from '../../../shared/antd/refusal-into.js';
import { copyText } from '../../../shared/clipboard.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { toast } from '../../../shared/ui/toast.js';
import { requestNumber } from '../../shared/action-names.js';

export type OperatorRow = Response<typeof listOperators>['rows'][number];
type Limits = Response<typeof getLimits>;

/** What is open; an operator for whatever is about one. */
export type Dialog =
  | { what: 'invite' }
  | { what: 'limits'; limits: Limits }
  | { what: 'renew' | 'signOut' | 'changeRole' | 'end'; operator: OperatorRow };

export const CODE_FIELDS = {
  SIGN_IN_CODE_WRONG: 'code',
  SIGN_IN_CODE_USED: 'code',
  OPERATOR_CODE_REQUIRED: 'code',
} as const;

export function CodeItem() {
  const t = useMessages('operators');
  return (
    <Form.Item name="code" label={t('code')} rules={[{ required: true, message: t('required') }]}>
      <Input className="code-input numeric" inputMode="numeric" autoComplete="one-time-code" maxLength={32} />
    </Form.Item>
  );
}

function ReasonItem() {
  const t = useMessages('operators');
  return (
    <Form.Item
      name="reason"
      label={t('reason')}
      extra={t('reasonHint')}
      rules={[{ required: true, whitespace: true, min: REQUEST_REASON_MIN, message: t('reasonShort') }]}
    >
      <Input.TextArea rows={2} maxLength={REQUEST_REASON_MAX} />
    </Form.Item>
  );
}

const roleOptions = (but?: OperatorRole) =>
  operatorRoles.filter((role) => role !== but).map((value) => ({ value, label: OPERATOR_ROLES[value][language] }));

type FrameProps<T> = {
  title: string;
  note?: string;
  submit: string;
  danger?: boolean;
  form: FormInstance<T>;
  initial?: Partial<T>;
  pending: boolean;
  onSubmit: (values: T) => void;
  onClose: () => void;
  children?: ReactNode;
};

/** One dialog for every change of an operator: what it means, what it needs, one button. */
export function FormDialog<T extends object>(props: FrameProps<T>) {
  const { title, note, submit, danger = false, form, initial, pending, onSubmit, onClose, children } = props;
  return (
    <Modal
      open
      title={title}
      onCancel={onClose}
      onOk={() => form.submit()}
      okText={submit}
      okButtonProps={{ loading: pending, danger }}
      destroyOnHidden
    >
      {note !== undefined && <p className="muted dialog-note">{note}</p>}
      <Form<T>
        form={form}
        name="operator-dialog"
        layout="vertical"
        requiredMark={false}
        {...(initial ? { initialValues: initial } : {})}
        onFinish={onSubmit}
      >
        {children}
      </Form>
    </Modal>
  );
}

function LinkDialog({ name, link, time, onClose }: { name: string; link: string; time: string; onClose: () => void }) {
  const t = useMessages('operators');
  return (
    <Modal open title={t('linkTitle')} onCancel={onClose} footer={null} maskClosable={false}>
      <p>{t('linkNote', { name, time })}</p>
      <p className="operator-link">
        <code>{link}</code>
      </p>
      <p className="dialog-buttons">
        <Button onClick={({ currentTarget }) => void copyText(link, currentTarget)}>{t('copyLink')}</Button>
        <Button type="primary" onClick={onClose}>
          {t('done')}
        </Button>
      </p>
    </Modal>
  );
}

type Close = { onClose: () => void };

function InviteDialog({ onClose }: Close) {
  const t = useMessages('operators');
  const [form] = Form.useForm<{ name: string; role: OperatorRole; code: string }>();
  const [made, setMade] = useState<{ name: string; link: string; time: string } | null>(null);
  const invalidate = useInvalidateEndpoint();
  const { mutate, isPending } = useEndpointMutation(inviteOperator, {
    onSuccess: async ({ link, expiresAt }, { name }) => {
      setMade({ name, link, time: expiresAt });
      await invalidate(listOperators);
    },
    onError: refusalInto(form, { ...CODE_FIELDS, OPERATOR_EXISTS: 'name' }),
  });
  if (made) return <LinkDialog {...made} onClose={onClose} />;
  return (
    <FormDialog
      title={t('add')}
      submit={t('invite')}
      form={form}
      initial={{ role: 'support' }}
      pending={isPending}
      onSubmit={mutate}
      onClose={onClose}
    >
      <Form.Item
        name="name"
        label={t('newName')}
        extra={t('newNameHint')}
        rules={[{ required: true, whitespace: true, message: t('required') }]}
      >
        <Input maxLength={64} autoComplete="off" />
      </Form.Item>
      <Form.Item name="role" label={t('role')}>
        <Select options={roleOptions()} />
      </Form.Item>
      <CodeItem />
    </FormDialog>
  );
}

function RenewDialog({ operator: { id, name }, onClose }: Close & { operator: OperatorRow }) {
  const t = useMessages('operators');
  const [form] = Form.useForm<{ code: string }>();
  const [made, setMade] = useState<{ link: string; time: string } | null>(null);
  const invalidate = useInvalidateEndpoint();
  const { mutate, isPending } = useEndpointMutation(renewOperator, {
    onSuccess: async ({ link, expiresAt }) => {
      setMade({ link, time: expiresAt });
      await invalidate(listOperators);
    },
    onError: refusalInto(form, CODE_FIELDS),
  });
  if (made) return <LinkDialog name={name} {...made} onClose={onClose} />;
  return (
    <FormDialog
      title={t('renewOf', { name })}
      note={t('renewNote')}
      submit={t('invite')}
      form={form}
      pending={isPending}
      onSubmit={({ code }) => mutate({ id: String(id), code })}
      onClose={onClose}
    >
      <CodeItem />
    </FormDialog>
  );
}

function SignOutDialog({ operator: { id, name, sessions }, onClose }: Close & { operator: OperatorRow }) {
  const t = useMessages('operators');
  const [form] = Form.useForm<object>();
  const invalidate = useInvalidateEndpoint();
  const { mutate, isPending } = useEndpointMutation(signOutOperator, {
    successMessage: () => t('signedOut'),
    onSuccess: async () => {
      await invalidate(listOperators);
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('signOutOf', { name })}
      note={t('signOutNote', { n: sessions })}
      submit={t('signOut')}
      form={form}
      pending={isPending}
      onSubmit={() => mutate({ id: String(id) })}
      onClose={onClose}
    />
  );
}

type Asked = { role?: OperatorRole; reason: string };

/** Another role, or the end: a request that somebody else decides. */
function RequestDialog({ what, operator, onClose }: Close & { what: 'changeRole' | 'end'; operator: OperatorRow }) {
  const t = useMessages('operators');
  const [form] = Form.useForm<Asked>();
  const { name, role } = operator;
  const invalidate = useInvalidateEndpoint();
  const { mutate, isPending } = useEndpointMutation(makeRequest, {
    onSuccess: async ({ id }) => {
      toast.success(t('asked', { number: requestNumber(id) }));
      await invalidate(listRequests);
      onClose();
    },
    onError: refusalInto(form),
  });
  const submit = ({ role: wanted, reason }: Asked): void =>
    mutate({ kind: `operator.${what}`, target: name, payload: wanted ? { role: wanted } : {}, reason });
  return (
    <FormDialog
      title={t(what === 'end' ? 'endOf' : 'changeRoleOf', { name })}
      note={t(what === 'end' ? 'endNote' : 'changeRoleNote')}
      submit={t('submit')}
      form={form}
      pending={isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      {what === 'changeRole' && (
        <Form.Item name="role" label={t('newRole')} rules={[{ required: true, message: t('required') }]}>
          <Select options={roleOptions(role)} />
        </Form.Item>
      )}
      <ReasonItem />
    </FormDialog>
  );
}

const FEN = 100;

function LimitsDialog({ limits, onClose }: Close & { limits: Limits }) {
  const t = useMessages('operators');
  const [form] = Form.useForm<Limits & { reason: string; code: string }>();
  const invalidate = useInvalidateEndpoint();
  const { mutate, isPending } = useEndpointMutation(changeLimits, {
    successMessage: () => t('saved'),
    onSuccess: async () => {
      await invalidate(getLimits);
      onClose();
    },
    onError: refusalInto(form, CODE_FIELDS),
  });
  const names = {
    charNum: 'limitChars',
    voiceNum: 'limitVoice',
    imageNum: 'limitImages',
    amount: 'limitAmount',
  } as const;
  return (
    <FormDialog
      title={t('limitsTitle')}
      note={t('limitsNote')}
      submit={t('save')}
      form={form}
      initial={{ ...limits, amount: limits.amount / FEN }}
      pending={isPending}
      onSubmit={(values) => mutate({ ...values, amount: Math.round(values.amount * FEN) })}
      onClose={onClose}
    >
      <div className="limit-fields">
        {Object.entries(names).map(([field, label]) => (
          <Form.Item key={field} name={field} label={t(label)} rules={[{ required: true, message: t('required') }]}>
            <InputNumber min={0} max={1_000_000_000_000} precision={field === 'amount' ? 2 : 0} />
          </Form.Item>
        ))}
      </div>
      <ReasonItem />
      <CodeItem />
    </FormDialog>
  );
}

export function OperatorDialog({ dialog, onClose }: { dialog: Dialog } & Close) {
  switch (dialog.what) {
    case 'invite':
      return <InviteDialog onClose={onClose} />;
    case 'limits':
      return <LimitsDialog limits={dialog.limits} onClose={onClose} />;
    case 'renew':
      return <RenewDialog operator={dialog.operator} onClose={onClose} />;
    case 'signOut':
      return <SignOutDialog operator={dialog.operator} onClose={onClose} />;
    case 'changeRole':
    case 'end':
      return <RequestDialog what={dialog.what} operator={dialog.operator} onClose={onClose} />;
  }
}
