import type { sendVCode } from '@yiqiao/contracts/login';
import { VCODE_RESEND_SECONDS } from '@yiqiao/domain/limits';
import { useState } from 'react';
import { ApiError } from '../../../shared/api/api-error.js';
import { callRoute } from '../../../shared/api/call.js';
import { ROUTES } from '../../../shared/api/public-routes.js';
import { useCountdown } from '../../../shared/form/use-countdown.js';
import { useMessages } from '../../../shared/i18n/messages.js';

/** Sends a code and counts down until the next may be sent; a 429 response brings the time to wait. */
export function useSendCode() {
  const { count, running, start } = useCountdown();
  const [busy, setBusy] = useState(false);
  const send = async (account: string): Promise<void> => {
    setBusy(true);
    try {
      await callRoute<typeof sendVCode>(ROUTES.sendVCode, { account });
      start(VCODE_RESEND_SECONDS);
    } catch (error) {
      if (error instanceof ApiError && error.retryAfterSeconds) start(error.retryAfterSeconds);
      throw error;
    } finally {
      setBusy(false);
    }
  };
  return { count, running, busy, send };
}

type SendCodeProps = { state: ReturnType<typeof useSendCode>; allowed: boolean; onSend: () => void };

/** Disabled until the address is valid, and while the count is above 1 (specification §4). */
export function SendCodeButton({ state, allowed, onSend }: SendCodeProps) {
  const t = useMessages('login');
  const { count, running, busy } = state;
  return (
    <button
      type="button"
      className="button button-default code"
      disabled={!allowed || running || busy}
      onClick={onSend}
    >
      {running ? <span className="numeric">{t('sendAgain', { seconds: count })}</span> : t('sendCode')}
    </button>
  );
}
