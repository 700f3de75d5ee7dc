import { useLogin } from '@refinedev/core';
import { RECOVERY_CODES } from '@yiqiao/domain/limits';
import { Button, Input } from 'antd';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { messageOf } from '../../../shared/api/api-error.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { CodeField, isWholeCode } from './code-field.js';
import { Gate } from './gate.js';

const WINDOW_S = 30;
/** The name under which the authenticator keeps the account (apps/api/src/operators/enrol.ts). */
const ISSUER = 'Yiqiao operators';

const secondsLeft = (): number => WINDOW_S - (Math.floor(Date.now() / 1_000) % WINDOW_S);

/** How long the code on the phone is good for, by this machine's clock. */
function useSecondsLeft(): number {
  const [left, setLeft] = useState(secondsLeft);
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsLeft()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return left;
}

/** The second step: the code of the app, or a recovery code. */
export default function CodePage() {
  const t = useMessages('sign-in');
  const { search } = useLocation();
  const [byApp, setByApp] = useState(true);
  const [code, setCode] = useState('');
  const [error, setError] = useState<string | null>(null);
  const left = useSecondsLeft();
  const { mutate: logIn, isPending } = useLogin<{ code: string }>();
  const isReady = (entered: string): boolean => (byApp ? isWholeCode(entered) : entered !== '');
  const submit = (entered: string): void => {
    if (isPending || !isReady(entered)) return;
    logIn(
      { code: entered },
      {
        onSuccess: ({ success, error: refusal }) => {
          if (success) return;
          setError(messageOf(refusal));
          setCode('');
        },
      },
    );
  };
  const type = (typed: string): void => {
    setCode(typed);
    if (typed !== '') setError(null);
  };
  return (
    <Gate
      title={t('codeTitle')}
      note={byApp ? t('codeNote', { issuer: ISSUER }) : t('recoveryNote', { n: RECOVERY_CODES })}
      steps={[t('stepPassword'), t('stepCode')]}
      step={1}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit(code);
        }}
      >
        {byApp ? (
          <>
            <CodeField
              value={code}
              onChange={type}
              onFull={submit}
              error={error}
              hint={t('codeAuto')}
              disabled={isPending}
            />
            <p className="faint numeric code-left">{t('codeLeft', { seconds: left })}</p>
          </>
        ) : (
          <label className="field">
            <span className="field-label">{t('recovery')}</span>
            <Input
              className="numeric"
              size="large"
              value={code}
              onChange={({ target }) => type(target.value)}
              autoComplete="off"
              spellCheck={false}
              autoFocus
              status={error === null ? '' : 'error'}
            />
            <span className="field-hint error" role={error === null ? undefined : 'alert'}>
              {error}
            </span>
          </label>
        )}
        <Button type="primary" size="large" htmlType="submit" block loading={isPending} disabled={!isReady(code)}>
          {t('signIn')}
        </Button>
      </form>
      <p className="gate-links">
        <button
          type="button"
          className="link link-button"
          onClick={() => {
            setByApp(!byApp);
            setCode('');
            setError(null);
          }}
        >
          {t(byApp ? 'useRecovery' : 'useApp')}
        </button>
        <Link className="link" to={`/sign-in${search}`}>
          {t('otherAccount')}
        </Link>
      </p>
    </Gate>
  );
}
