import type { Response } from '@yiqiao/contracts/endpoint';
import {
  changeOwnPassword,
  endOwnSessions,
  listOperators,
  listOwnSessions,
  renewRecoveryCodes,
} from '@yiqiao/contracts/operator/operators';
import { Button, Form, Modal } from 'antd';
import { useState } from 'react';
import { antdRule, FormField } from '../../../shared/antd/form-field.js';
import { PasswordInput } from '../../../shared/antd/password-input.js';
import { refusalInto } from '../../../shared/antd/refusal-into.js';
import { copyText } from '../../../shared/clipboard.js';
import { byContract } from '../../../shared/form/contract-rules.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint, useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { Loaded } from '../../shared/states.js';
import { CODE_FIELDS, CodeItem, FormDialog } from './operator-dialogs.js';
import { OwnPasskeys } from './own-passkeys.js';

type Session = Response<typeof listOwnSessions>['rows'][number];
type Close = { onClose: () => void };
type Passwords = { oldPassword: string; password: string; code: string };

function PasswordDialog({ onClose }: Close) {
  const t = useMessages('operators');
  const [form] = Form.useForm<Passwords>();
  const invalidate = useInvalidateEndpoint();
  const { mutate, isPending } = useEndpointMutation(changeOwnPassword, {
    successMessage: () => t('changed'),
    onSuccess: async () => {
      await invalidate(listOwnSessions);
      onClose();
    },
    onError: refusalInto(form, { ...CODE_FIELDS, WRONG_OLD_PASSWORD: 'oldPassword' }),
  });
  return (
    <FormDialog
      title={t('password')}
      submit={t('save')}
      form={form}
      pending={isPending}
      onSubmit={mutate}
      onClose={onClose}
    >
      <Form.Item name="oldPassword" label={t('oldPassword')} rules={[{ required: true, message: t('required') }]}>
        <PasswordInput autoComplete="current-password" />
      </Form.Item>
      <FormField
        name="password"
        label={t('newPassword')}
        extra={t('newPasswordHint')}
        rules={[antdRule(byContract(changeOwnPassword.request.shape.password))]}
      >
        <PasswordInput autoComplete="new-password" />
      </FormField>
      <CodeItem />
    </FormDialog>
  );
}

function RecoveryDialog({ onClose }: Close) {
  const t = useMessages('operators');
  const [form] = Form.useForm<{ code: string }>();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const invalidate = useInvalidateEndpoint();
  const { mutate, isPending } = useEndpointMutation(renewRecoveryCodes, {
    onSuccess: async ({ recoveryCodes }) => {
      setCodes(recoveryCodes);
      await invalidate(listOperators);
    },
    onError: refusalInto(form, CODE_FIELDS),
  });
  if (!codes)
    return (
      <FormDialog
        title={t('recovery')}
        note={t('recoveryNote')}
        submit={t('recoveryMake')}
        form={form}
        pending={isPending}
        onSubmit={mutate}
        onClose={onClose}
      >
        <CodeItem />
      </FormDialog>
    );
  return (
    <Modal open title={t('recovery')} onCancel={onClose} footer={null} maskClosable={false}>
      <p className="muted dialog-note">{t('recoveryNote')}</p>
      <ol className="recovery-codes numeric">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <p className="dialog-buttons">
        <Button onClick={({ currentTarget }) => void copyText(codes.join('\n'), currentTarget)}>{t('copyAll')}</Button>
        <Button type="primary" onClick={onClose}>
          {t('done')}
        </Button>
      </p>
    </Modal>
  );
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const t = useMessages('operators');
  return (
    <li>
      <div>
        <b className="numeric">{session.ip}</b> {session.current && <span className="badge">{t('thisOne')}</span>}
        <small>{t('since', { time: session.startedAt.slice(5, 16), last: session.lastUsedAt.slice(11, 16) })}</small>
        <small className="own-agent">{session.userAgent}</small>
      </div>
      {!session.current && (
        <Button size="small" onClick={onEnd}>
          {t('endOne')}
        </Button>
      )}
    </li>
  );
}

/** One's own sessions, password and recovery codes. */
export function OwnAccount({ codesLeft }: { codesLeft: number | null }) {
  const t = useMessages('operators');
  const [open, setOpen] = useState<'password' | 'recovery' | null>(null);
  const query = useEndpoint(listOwnSessions, {});
  const invalidate = useInvalidateEndpoint();
  const { mutate } = useEndpointMutation(endOwnSessions, {
    successMessage: ({ ended }) => t('ended', { n: ended }),
    onSuccess: () => invalidate(listOwnSessions),
  });
  const close = (): void => setOpen(null);
  return (
    <Card title={t('own')} note={codesLeft === null ? t('ownNote') : t('recoveryLeft', { n: codesLeft })}>
      <Loaded query={query} rows={2}>
        {({ rows }) => (
          <ul className="own-sessions">
            {rows.map((session) => (
              <SessionRow key={session.id} session={session} onEnd={() => mutate({ id: session.id })} />
            ))}
          </ul>
        )}
      </Loaded>
      <div className="own-buttons">
        {(query.data?.total ?? 0) > 1 && <Button onClick={() => mutate({})}>{t('endOthers')}</Button>}
        <Button onClick={() => setOpen('password')}>{t('password')}</Button>
        <Button onClick={() => setOpen('recovery')}>{t('recovery')}</Button>
      </div>
      <OwnPasskeys />
      {open === 'password' && <PasswordDialog onClose={close} />}
      {open === 'recovery' && <RecoveryDialog onClose={close} />}
    </Card>
  );
}
