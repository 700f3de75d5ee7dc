import { useLogin } from '@refinedev/core';
import { browserSupportsWebAuthn, startAuthentication } from '@simplewebauthn/browser';
import type { Request } from '@yiqiao/contracts/endpoint';
import { askPasskey, type signInByPasskey } from '@yiqiao/contracts/operator/passkeys';
import { Button } from 'antd';
import { useState } from 'react';
import { messageOf } from '../../../shared/api/api-error.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { Icon } from '../../../shared/ui/icon.js';

type Proof = Request<typeof signInByPasskey>;

/** Signs in without name, password and code. Absent where the browser knows no passkeys. */
export function PasskeyButton() {
  const t = useMessages('sign-in');
  const [error, setError] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const { mutate: logIn, isPending } = useLogin<Proof>();
  const { mutate: ask, isPending: isOpening } = useEndpointMutation(askPasskey, {
    onSuccess: async (optionsJSON) => {
      setAsking(true);
      try {
        const credential = (await startAuthentication({ optionsJSON })) as Proof['credential'];
        logIn({ credential }, { onSuccess: (done) => setError(done.success ? null : messageOf(done.error)) });
      } catch {
        // Declined, timed out, or there is none for this site: the browser tells no difference.
        setError(t('passkeyStopped'));
      } finally {
        setAsking(false);
      }
    },
    onError: (refusal) => setError(messageOf(refusal)),
  });
  if (!browserSupportsWebAuthn()) return null;
  return (
    <>
      <Button
        className="gate-passkey"
        size="large"
        block
        icon={<Icon name="key" />}
        loading={isOpening || isAsking || isPending}
        onClick={() => {
          setError(null);
          ask({});
        }}
      >
        {t('passkey')}
      </Button>
      {error !== null && (
        <p className="field-hint error" role="alert">
          {error}
        </p>
      )}
    </>
  );
}
