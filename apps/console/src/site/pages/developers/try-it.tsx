import { lazy, Suspense, type ReactNode } from 'react';
import { useSignedIn } from '../../../shared/auth/stored-user.js';
import { loadMessages, useMessages } from '../../../shared/i18n/messages.js';
import { useInvited } from '../../shared/invite.js';

function Failed() {
  return <p role="alert">{useMessages('developers')('tryFailed')}</p>;
}

/** For members only, so that others do not download it. */
const TryForm = lazy<() => ReactNode>(() =>
  Promise.all([import('./try-api/try-form.js'), loadMessages('try-api')]).then(
    ([{ TryForm: form }]) => ({ default: form }),
    () => ({ default: Failed }),
  ),
);

/** So that who signs up here ends where keys are made. Loaded with the form of the login, which needs it too. */
const rememberKeys = (): void =>
  void import('../../../shared/auth/return-path.js').then(
    ({ rememberReturnPath }) => rememberReturnPath('/UserCenterApiKeys'),
    () => undefined,
  );

/** The form for signed-in members; the way to an account for others. */
export function TryIt() {
  const t = useMessages('developers');
  const invited = useInvited();
  if (useSignedIn())
    return (
      <Suspense fallback={<p role="status">{t('waitTry')}</p>}>
        <TryForm />
      </Suspense>
    );
  return (
    <div className="dev-visitor">
      <p>{t('visitorTry')}</p>
      <div>
        <a className="button button-primary" href={invited('/login?type=2')} onClick={rememberKeys}>
          {t('signUp')}
        </a>
        <a className="button button-default" href={invited('/login?type=1')}>
          {t('logIn')}
        </a>
      </div>
    </div>
  );
}
