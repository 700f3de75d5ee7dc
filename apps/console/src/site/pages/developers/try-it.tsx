import { lazy, Suspense, type ReactNode } from 'react';
import { rememberReturnPath } from '../../../shared/auth/return-path.js';
import { useSignedIn } from '../../../shared/auth/stored-user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useInvited } from '../../shared/invite.js';

function Failed() {
  return <p role="alert">{useMessages('developers')('tryFailed')}</p>;
}

/** For members only, so that others do not download it. */
const TryForm = lazy<() => ReactNode>(() =>
  import('./try-form.js').then(
    ({ TryForm: form }) => ({ default: form }),
    () => ({ default: Failed }),
  ),
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
        <a
          className="button button-primary"
          href={invited('/login?type=2')}
          onClick={() => rememberReturnPath('/UserCenterApiKeys')}
        >
          {t('signUp')}
        </a>
        <a className="button button-default" href={invited('/login?type=1')}>
          {t('logIn')}
        </a>
      </div>
    </div>
  );
}
