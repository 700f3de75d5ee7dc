import { useId } from 'react';
import { password, vcode } from '@yiqiao/contracts/form-checks';
import type { resetPwdByVcode } from '@yiqiao/contracts/login';
import { callRoute } from '../../../shared/api/call.js';
import { ROUTES } from '../../../shared/api/public-routes.js';
import { sameAs } from '../../../shared/form/rules.js';
import { FormMessage, SubmitButton } from '../../../shared/form/submit-button.js';
import { TextField } from '../../../shared/form/text-field.js';
import { useForm } from '../../../shared/form/use-form.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { toast } from '../../../shared/ui/toast.js';
import type { Found } from './found.js';
import { SendCodeButton, type useSendCode } from './send-code.js';

type StepProps = {
  found: Found;
  code: ReturnType<typeof useSendCode>;
  onBusy: (busy: boolean) => void;
  onPrevious: () => void;
  onDone: () => void;
};

/** Step 1: the code and the new password, typed twice. */
export function NewPasswordStep({ found, code, onBusy, onPrevious, onDone }: StepProps) {
  const t = useMessages('login');
  const sentTo = useId();
  const form = useForm({
    vcode: { rule: vcode },
    password: { rule: password, also: 'password2' },
    password2: {
      rule: (value, values) => password(value) ?? sameAs('password')(value, values),
    },
  });

  const sendAgain = async (): Promise<void> => {
    try {
      await code.send(found.account);
      form.praise('vcode', t('codeSent'));
      form.focus('vcode');
    } catch (error) {
      form.fail(error, { VCODE_TOO_SOON: 'vcode' });
    }
  };

  const submit = form.onSubmit(async ({ vcode: digits, password: secret }) => {
    onBusy(true);
    try {
      await callRoute<typeof resetPwdByVcode>(ROUTES.resetPwdByVcode, {
        email: found.account,
        vcode: digits,
        password: secret,
      });
    } catch (error) {
      form.fail(error, { VCODE_WRONG: 'vcode', VCODE_EXPIRED: 'vcode' });
      return;
    } finally {
      onBusy(false);
    }
    toast.success(t('resetDone'));
    onDone();
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      {/* A group with a name, which is read out when the focus comes into it. */}
      <div className="dlg-body" role="group" aria-labelledby={sentTo}>
        <p className="muted sent-to" id={sentTo}>
          {t('resetSentTo', { email: found.email })}
        </p>
        <TextField
          {...form.field('vcode')}
          label={t('vcode')}
          inputMode="numeric"
          placeholder={t('vcodeHolder')}
          autoComplete="one-time-code"
          beside={<SendCodeButton state={code} allowed onSend={() => void sendAgain()} />}
        />
        <TextField
          {...form.field('password')}
          label={t('newPassword')}
          type="password"
          placeholder={t('newPasswordHolder')}
          autoComplete="new-password"
          hint={t('newPasswordHint')}
        />
        <TextField
          {...form.field('password2')}
          label={t('password2')}
          type="password"
          placeholder={t('password2Holder')}
          autoComplete="new-password"
        />
        <FormMessage text={form.message} />
      </div>
      <div className="dlg-foot">
        <button type="button" className="btn btn-d" onClick={onPrevious}>
          {t('resetPrevious')}
        </button>
        <SubmitButton busy={form.busy}>{t('resetSubmit')}</SubmitButton>
      </div>
    </form>
  );
}
