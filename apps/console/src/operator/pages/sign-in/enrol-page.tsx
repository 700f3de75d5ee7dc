import type { Response } from '@yiqiao/contracts/endpoint';
import { enrol, openEnrolment } from '@yiqiao/contracts/operator/session';
import { OPERATOR_ROLES } from '@yiqiao/domain/operators';
import { Button, Form, QRCode } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { antdRule, FormField } from '../../../shared/antd/form-field.js';
import { PasswordInput } from '../../../shared/antd/password-input.js';
import { messageOf } from '../../../shared/api/api-error.js';
import { copyText } from '../../../shared/clipboard.js';
import { byContract } from '../../../shared/form/contract-rules.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint, useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Loaded } from '../../shared/states.js';
import { CodeField, isWholeCode } from './code-field.js';
import { Gate } from './gate.js';

type Enrolment = Response<typeof openEnrolment>;
const QR_SIZE = 156;

function PasswordStep({ name, onDone }: { name: string; onDone: (password: string) => void }) {
  const t = useMessages('sign-in');
  const [form] = Form.useForm<{ password: string; again: string }>();
  return (
    <Form
      form={form}
      name="enrol-password"
      layout="vertical"
      requiredMark={false}
      onFinish={({ password }) => onDone(password)}
    >
      {/* For password managers. */}
      <input
        className="visually-hidden"
        type="text"
        name="username"
        autoComplete="username"
        value={name}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <FormField
        name="password"
        label={t('newPassword')}
        extra={t('newPasswordHint')}
        rules={[antdRule(byContract(enrol.request.shape.password))]}
      >
        <PasswordInput size="large" autoComplete="new-password" autoFocus />
      </FormField>
      <FormField
        name="again"
        label={t('passwordAgain')}
        dependencies={['password']}
        rules={[
          {
            validator: (_, again: string | undefined) =>
              (again ?? '') === (form.getFieldValue('password') ?? '')
                ? Promise.resolve()
                : Promise.reject(new Error(t('passwordsDiffer'))),
          },
        ]}
      >
        <PasswordInput size="large" autoComplete="new-password" />
      </FormField>
      <Button type="primary" size="large" htmlType="submit" block>
        {t('next')}
      </Button>
    </Form>
  );
}

type ScanProps = { enrolment: Enrolment; token: string; password: string; onCodes: (codes: readonly string[]) => void };

function ScanStep({ enrolment: { secret, uri }, token, password, onCodes }: ScanProps) {
  const t = useMessages('sign-in');
  const [code, setCode] = useState('');
  const [error, setError] = useState<string | null>(null);
  const { mutate, isPending } = useEndpointMutation(enrol, {
    onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
    onError: (refusal) => {
      setCode('');
      setError(codeOf(refusal) === 'SIGN_IN_CODE_WRONG' ? t('codeWrong') : messageOf(refusal));
    },
  });
  const submit = (entered: string): void => mutate({ token, password, code: entered });
  return (
    <form
      className="enrol-scan"
      onSubmit={(event) => {
        event.preventDefault();
        if (isWholeCode(code)) submit(code);
      }}
    >
      <div className="enrol-qr">
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
      <div>
        <p>{t('scan')}</p>
        <p className="enrol-key">
          <code>{secret.match(/.{1,4}/g)?.join(' ')}</code>
          <button
            type="button"
            className="button button-text button-small"
            onClick={({ currentTarget }) => void copyText(secret, currentTarget)}
          >
            {t('copyKey')}
          </button>
        </p>
        <CodeField
          value={code}
          onChange={(typed) => {
            setCode(typed);
            if (typed !== '') setError(null);
          }}
          onFull={submit}
          error={error}
          disabled={isPending}
        />
      </div>
      <Button type="primary" size="large" htmlType="submit" block loading={isPending} disabled={!isWholeCode(code)}>
        {t('check')}
      </Button>
    </form>
  );
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

function RecoveryStep({ codes }: { codes: readonly string[] }) {
  const t = useMessages('sign-in');
  const navigate = useNavigate();
  const [saved, setSaved] = useState(false);
  const text = codes.join('\n');
  return (
    <>
      <p className="muted">{t('recoveryWhy')}</p>
      <ol className="enrol-codes numeric">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <p className="enrol-saved">
        <button
          type="button"
          className="button button-default button-small"
          onClick={({ currentTarget }) => void copyText(text, currentTarget)}
        >
          {t('copyAll')}
        </button>
        <label>
          <input type="checkbox" checked={saved} onChange={({ target }) => setSaved(target.checked)} /> {t('saved')}
        </label>
      </p>
      <Button type="primary" size="large" block disabled={!saved} onClick={() => void navigate('/sign-in')}>
        {t('toSignIn')}
      </Button>
    </>
  );
}

function Steps({ token, enrolment }: { token: string; enrolment: Enrolment }) {
  const t = useMessages('sign-in');
  const [password, setPassword] = useState<string | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const step = codes ? 2 : password === null ? 0 : 1;
  const { name, role } = enrolment;
  return (
    <Gate
      wide
      title={t(codes ? 'recoveryTitle' : 'enrolTitle')}
      note={
        <>
          {t('enrolFor', { name, role: OPERATOR_ROLES[role][language] })}
          <br />
          {t('enrolNote')}
        </>
      }
      steps={[t('stepSetPassword'), t('stepScan'), t('stepRecovery')]}
      step={step}
    >
      {step === 0 && <PasswordStep name={name} onDone={setPassword} />}
      {step === 1 && <ScanStep enrolment={enrolment} token={token} password={password ?? ''} onCodes={setCodes} />}
      {codes && <RecoveryStep codes={codes} />}
    </Gate>
  );
}

function Enrolment({ token }: { token: string }) {
  const t = useMessages('sign-in');
  // A used link would be refused, so it is opened once.
  const query = useEndpoint(openEnrolment, { token }, { staleTime: Infinity });
  if (query.data) return <Steps token={token} enrolment={query.data} />;
  return (
    <Gate wide title={t('enrolTitle')}>
      <Loaded query={query} rows={3}>
        {() => null}
      </Loaded>
    </Gate>
  );
}

/** The page of an enrolment link: `/enrol#<token>`, so that no server log has the token. */
export default function EnrolPage() {
  const t = useMessages('sign-in');
  const [token] = useState(() => location.hash.slice(1));
  if (token !== '') return <Enrolment token={token} />;
  return (
    <Gate wide title={t('enrolTitle')}>
      <Empty title={t('noLink')}>{t('noLinkWhy')}</Empty>
    </Gate>
  );
}
