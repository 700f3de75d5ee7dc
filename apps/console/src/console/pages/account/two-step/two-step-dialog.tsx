import { password as passwordRule, signInCode } from '@yiqiao/contracts/fields';
import { listSessions } from '@yiqiao/contracts/sessions';
import {
  confirmTwoStep,
  disableTwoStep,
  enrolTwoStep,
  getTwoStep,
  renewRecoveryCodes,
} from '@yiqiao/contracts/two-step';
import { Button, Form, Input, Modal, QRCode } from 'antd';
import { useState } from 'react';
import { useMember } from '../../../../shared/auth/user.js';
import { copyText } from '../../../../shared/clipboard.js';
import { byContract } from '../../../../shared/form/contract-rules.js';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { useEndpointMutation, useInvalidateEndpoint } from '../../../../shared/refine/use-endpoint.js';
import type { DialogFrame } from '../../../shared/dialogs/dialog-frame.js';
import { antdRule, FormField } from '../../../../shared/antd/form-field.js';
import { PasswordInput } from '../../../../shared/antd/password-input.js';
import { refusalInto } from '../../../../shared/antd/refusal-into.js';
import { UsernameField } from '../../../shared/form/username-field.js';

export type TwoStepAction = 'turnOn' | 'renew' | 'turnOff';

const FIELD_OF = { WRONG_PASSWORD: 'password', SIGN_IN_CODE_WRONG: 'code', SIGN_IN_CODE_USED: 'code' } as const;
const QR_SIZE = 180;

function PasswordItem() {
  const t = useMessages('two-step');
  return (
    <>
      <UsernameField value={useMember().username} />
      <FormField name="password" label={t('password')} rules={[antdRule(byContract(passwordRule))]}>
        <PasswordInput autoComplete="current-password" autoFocus />
      </FormField>
    </>
  );
}

function CodeItem({ label, autoFocus }: { label: string; autoFocus?: boolean }) {
  return (
    <FormField name="code" label={label} rules={[antdRule(byContract(signInCode))]}>
      <Input className="numeric" autoComplete="one-time-code" autoFocus={autoFocus ?? false} />
    </FormField>
  );
}

type Enrolment = { secret: string; uri: string };

/** The secret as QR code and as text. */
function Secret({ secret, uri }: Enrolment) {
  const t = useMessages('two-step');
  return (
    <>
      <p>{t('scan')}</p>
      <div className="ac-two-step-qr">
        <QRCode
          type="svg"
          aria-label={t('qr')}
          value={uri}
          size={QR_SIZE}
          bordered={false}
          style={{ padding: 0, borderRadius: 0 }}
          color="#12242b"
          bgColor="#fff"
        />
      </div>
      <p className="faint">{t('key')}</p>
      <p className="ac-two-step-key">
        <code>{secret.match(/.{1,4}/g)?.join(' ')}</code>
        <button
          type="button"
          className="button button-text button-small"
          onClick={({ currentTarget }) => void copyText(secret, currentTarget)}
        >
          {t('copy')}
        </button>
      </p>
      <p className="ac-two-step-key">
        <a className="link" href={uri}>
          {t('openApp')}
        </a>
      </p>
    </>
  );
}

type Codes = readonly string[];

/** Password, then QR code and first code. */
function TurnOnForms({ onCodes }: { onCodes: (codes: Codes) => void }) {
  const t = useMessages('two-step');
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [passwordForm] = Form.useForm<{ password: string }>();
  const [codeForm] = Form.useForm<{ code: string }>();
  const enrol = useEndpointMutation(enrolTwoStep, {
    onSuccess: setEnrolment,
    onError: refusalInto(passwordForm, FIELD_OF),
  });
  const confirm = useEndpointMutation(confirmTwoStep, {
    successMessage: () => t('turnedOn'),
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
    onError: refusalInto(codeForm, FIELD_OF),
  });
  // Keys, because a Form that is kept mounted would ignore its new `form`.
  if (!enrolment)
    return (
      <Form
        key="password"
        form={passwordForm}
        name="two-step-password"
        layout="vertical"
        requiredMark={false}
        onFinish={enrol.mutate}
      >
        <PasswordItem />
        <Button type="primary" htmlType="submit" loading={enrol.isPending}>
          {t('next')}
        </Button>
      </Form>
    );
  return (
    <Form
      key="code"
      form={codeForm}
      name="two-step-code"
      layout="vertical"
      requiredMark={false}
      onFinish={confirm.mutate}
    >
      <Secret {...enrolment} />
      <CodeItem label={t('code')} autoFocus />
      <p className="faint">{t('endsOthers')}</p>
      <Button type="primary" htmlType="submit" loading={confirm.isPending}>
        {t('confirm')}
      </Button>
    </Form>
  );
}

type CheckedProps = { action: 'renew' | 'turnOff'; onCodes: (codes: Codes) => void; onClose: () => void };

/** What takes the password and a code. */
function CheckedForm({ action, onCodes, onClose }: CheckedProps) {
  const t = useMessages('two-step');
  const [form] = Form.useForm<{ password: string; code: string }>();
  const invalidate = useInvalidateEndpoint();
  const renew = useEndpointMutation(renewRecoveryCodes, {
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
    onError: refusalInto(form, FIELD_OF),
  });
  const disable = useEndpointMutation(disableTwoStep, {
    successMessage: () => t('turnedOff'),
    onSuccess: async () => {
      await invalidate(getTwoStep);
      onClose();
    },
    onError: refusalInto(form, FIELD_OF),
  });
  const { mutate, isPending } = action === 'renew' ? renew : disable;
  return (
    <Form form={form} name="two-step-checked" layout="vertical" requiredMark={false} onFinish={mutate}>
      <p className="faint">{t(action === 'renew' ? 'renewWhy' : 'offConfirmWhy')}</p>
      <PasswordItem />
      <CodeItem label={t('codeOrRecovery')} />
      <Button type="primary" danger={action === 'turnOff'} htmlType="submit" loading={isPending}>
        {t(action)}
      </Button>
    </Form>
  );
}

function RecoveryCodes({ codes, onClose }: { codes: Codes; onClose: () => void }) {
  const t = useMessages('two-step');
  return (
    <>
      <p>{t('codesWhy')}</p>
      <ul className="ac-two-step-codes" aria-label={t('codes')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="ac-two-step-buttons">
        <Button onClick={({ currentTarget }) => void copyText(codes.join('\n'), currentTarget)}>
          {t('copyCodes')}
        </Button>
        <Button type="primary" onClick={onClose} autoFocus>
          {t('saved')}
        </Button>
      </div>
    </>
  );
}

/** Switches two-step sign-in on or off, or replaces the recovery codes, which are shown once. */
export function TwoStepDialog({ action, frame }: { action: TwoStepAction; frame: DialogFrame }) {
  const t = useMessages('two-step');
  const invalidate = useInvalidateEndpoint();
  const [codes, setCodes] = useState<Codes | null>(null);
  const show = async (fresh: Codes): Promise<void> => {
    setCodes(fresh);
    await Promise.all([invalidate(getTwoStep), invalidate(listSessions)]);
  };
  return (
    <Modal
      open={frame.open}
      width={480}
      title={<span className="display">{t(codes ? 'codesTitle' : action)}</span>}
      footer={null}
      maskClosable={false}
      // The codes are not shown again: an accidental Escape must not lose them.
      keyboard={codes === null}
      destroyOnHidden
      onCancel={frame.onClose}
      afterClose={frame.afterClose}
    >
      <div className="ac-password in-dialog">
        {codes ? (
          <RecoveryCodes codes={codes} onClose={frame.onClose} />
        ) : action === 'turnOn' ? (
          <TurnOnForms onCodes={(fresh) => void show(fresh)} />
        ) : (
          <CheckedForm action={action} onCodes={(fresh) => void show(fresh)} onClose={frame.onClose} />
        )}
      </div>
    </Modal>
  );
}
