import { useEffect, useRef, useState } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Dialog } from '../../../shared/ui/dialog.js';
import { Empty } from '../../../shared/ui/empty.js';
import type { Found } from './found.js';
import { FindAccountStep } from './find-account-step.js';
import { NewPasswordStep } from './new-password-step.js';
import { useSendCode } from './send-code.js';

const STEPS = ['resetStep0', 'resetStep1', 'resetStep2'] as const;

type ForgotProps = { account: string; onClose: (account: string) => void };

/** Specification §4: step 0 finds the account and sends a code, step 1 sets the password, step 2 says so. */
export function ForgotPassword({ account, onClose }: ForgotProps) {
  const t = useMessages('login');
  const [step, setStep] = useState<0 | 1 | 2>(0);
  const [found, setFound] = useState<Found>({ account, email: '' });
  const [busy, setBusy] = useState(false);
  const code = useSendCode();
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => body.current?.querySelector<HTMLElement>('input, button')?.focus(), [step]);

  return (
    <Dialog title={t('resetTitle')} drawer busy={busy} onClose={() => onClose(found.account)}>
      <div ref={body}>
        <ol className="steps">
          {STEPS.map((name, index) => (
            <li key={name} className={index <= step ? 'on' : ''} aria-current={index === step ? 'step' : undefined}>
              <span className="num">{index + 1}</span> {t(name)}
            </li>
          ))}
        </ol>
        {step === 0 && (
          <FindAccountStep
            found={found}
            code={code}
            onBusy={setBusy}
            onCancel={() => onClose(found.account)}
            onFound={(next) => {
              setFound(next);
              setStep(1);
            }}
          />
        )}
        {step === 1 && (
          <NewPasswordStep
            found={found}
            code={code}
            onBusy={setBusy}
            onPrevious={() => setStep(0)}
            onDone={() => setStep(2)}
          />
        )}
        {step === 2 && (
          // A group with a name, which is read out when the focus comes to its button.
          <div role="group" aria-label={t('resetDone')}>
            <Empty
              state="done"
              title={t('resetDone')}
              action={
                <button type="button" className="btn btn-p" onClick={() => onClose(found.account)}>
                  {t('resetClose')}
                </button>
              }
            >
              {t('resetDoneWhy')}
            </Empty>
          </div>
        )}
      </div>
    </Dialog>
  );
}
