import type { checkAccount, checkUsername, register } from '@yiqiao/contracts/login';
import { email, password, username, vcode } from '@yiqiao/contracts/form-checks';
import { Fragment, useEffect, useRef, useState, type RefObject } from 'react';
import { callRoute } from '../../../shared/api/call.js';
import { ROUTES } from '../../../shared/api/public-routes.js';
import { repeats } from '../../../shared/form/rules.js';
import { FormMessage, SubmitButton } from '../../shared/form/submit-button.js';
import { TextField } from '../../shared/form/text-field.js';
import { useForm, type FieldProps } from '../../shared/form/use-form.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { addIcons, Icon } from '../../../shared/ui/icon.js';
import { toast } from '../../../shared/ui/toast.js';
import { SendCodeButton, useSendCode } from './send-code.js';

declare module '../../../shared/ui/icon.js' {
  interface EntryIcons {
    gift: string;
  }
}

addIcons({ gift: 'M4 11h16v9H4zM3 7h18v4H3zM12 7v13M12 7C9 7 7 6 7.5 4.5S11 4 12 7c1-3 4-4 4.5-2.5S15 7 12 7' });

const PAGE = '/term-and-condition';
/** The documents to agree to, opened in a new tab, so that the form keeps its input. */
const DOCUMENTS = [
  { href: PAGE, text: 'agreementLink' },
  { href: '/privacy', text: 'privacyLink' },
  { href: '/refund', text: 'refundLink' },
] as const;

/** Whether the framed agreement has reported that it was scrolled to its end; messages from other sources are ignored (decisions §6). */
function useReadToEnd(frame: RefObject<HTMLIFrameElement | null>): boolean {
  const [read, setRead] = useState(false);
  useEffect(() => {
    const listen = ({ origin, source, data }: MessageEvent<unknown>): void => {
      if (origin === location.origin && source === frame.current?.contentWindow && data === 'TermScrollToBottom')
        setRead(true);
    };
    window.addEventListener('message', listen);
    return () => window.removeEventListener('message', listen);
  }, [frame]);
  return read;
}

/** The agreement in a frame, and the checkbox that is enabled at its end. */
function AgreementBox({ id, value, verdict, onValue, onBlur }: FieldProps) {
  const t = useMessages('login');
  const frame = useRef<HTMLIFrameElement>(null);
  const read = useReadToEnd(frame);
  const bad = verdict?.kind === 'error';
  const ticked = value !== '';
  return (
    <div className="login-agreement">
      <iframe ref={frame} src={PAGE} title={t('agreementFrame')} />
      <div className="checkbox">
        <input
          type="checkbox"
          id={id}
          checked={ticked}
          disabled={!read}
          required
          aria-invalid={bad}
          aria-labelledby={`${id}-agreed`}
          aria-describedby={`${id}-line`}
          onChange={(event) => onValue(event.target.checked ? 'yes' : '')}
          onBlur={onBlur}
        />
        <span className={`checkbox-box ${ticked ? 'active' : ''} ${bad ? 'danger' : ''}`} aria-hidden="true">
          {ticked && <Icon name="check" />}
        </span>
        <span id={`${id}-agreed`}>
          <label htmlFor={id}>{t('agree')}</label>
          {DOCUMENTS.map(({ href, text }, index) => (
            <Fragment key={href}>
              {index > 0 && t(index < DOCUMENTS.length - 1 ? 'comma' : 'and')}
              <a className="link" href={href} target="_blank" rel="noopener">
                {t(text)}
              </a>
            </Fragment>
          ))}
        </span>
      </div>
      <p className={`field-hint ${bad ? 'error' : ''}`} id={`${id}-line`} aria-live="polite">
        {bad && read ? verdict.text : read ? '' : t('agreementRead')}
      </p>
    </div>
  );
}

type RegisterFormProps = { inviteCode: string | null; logIn: string; onDone: (account: string) => void };

function useRegisterForm() {
  const t = useMessages('login');
  return useForm({
    username: {
      rule: username,
      ask: async (value) =>
        (await callRoute<typeof checkUsername>(ROUTES.checkUsername, { username: value })) ? null : 'USERNAME_TAKEN',
      ok: t('usernameOk'),
    },
    account: {
      rule: email,
      ask: async (value) =>
        (await callRoute<typeof checkAccount>(ROUTES.checkAccount, { account: value })) ? null : 'EMAIL_TAKEN',
      ok: t('emailOk'),
    },
    vcode: { rule: vcode },
    password: { rule: password, also: 'password2' },
    password2: {
      rule: repeats('password', password),
    },
    agreement: { rule: (value) => (value === '' ? 'AGREEMENT_REQUIRED' : null) },
  });
}

export function RegisterForm({ inviteCode, logIn, onDone }: RegisterFormProps) {
  const t = useMessages('login');
  const form = useRegisterForm();
  const code = useSendCode();

  const sendCode = async (): Promise<void> => {
    try {
      await code.send(form.values.account.trim());
      form.praise('vcode', t('codeSent'));
      form.focus('vcode');
    } catch (error) {
      form.fail(error, { VCODE_TOO_SOON: 'vcode', EMAIL_TAKEN: 'account' });
    }
  };

  const submit = form.onSubmit(async ({ username: name, account, vcode: digits, password: secret }) => {
    try {
      await callRoute<typeof register>(ROUTES.register, {
        username: name,
        account,
        password: secret,
        vcode: digits,
        ...(inviteCode ? { inviteCode } : {}),
      });
    } catch (error) {
      form.fail(error, {
        USERNAME_TAKEN: 'username',
        EMAIL_TAKEN: 'account',
        VCODE_WRONG: 'vcode',
        VCODE_EXPIRED: 'vcode',
      });
      return;
    }
    toast.success(t('registerDone'));
    onDone(account.trim());
  });

  return (
    <form noValidate aria-label={t('signUp')} onSubmit={(event) => void submit(event)}>
      {inviteCode && (
        <p className="note login-invited">
          <Icon name="gift" />
          <span>{t('invited')}</span>
        </p>
      )}
      <TextField
        {...form.field('username')}
        label={t('username')}
        placeholder={t('usernameHolder')}
        autoComplete="username"
      />
      <TextField
        {...form.field('account')}
        label={t('email')}
        type="email"
        inputMode="email"
        placeholder={t('emailHolder')}
        autoComplete="email"
      />
      <TextField
        {...form.field('vcode')}
        label={t('vcode')}
        inputMode="numeric"
        placeholder={t('vcodeHolder')}
        autoComplete="one-time-code"
        beside={<SendCodeButton state={code} allowed={form.isOk('account')} onSend={() => void sendCode()} />}
      />
      <div className="two-columns halves">
        <TextField
          {...form.field('password')}
          label={t('password')}
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
      </div>
      <AgreementBox {...form.field('agreement')} />
      <FormMessage text={form.message} />
      <SubmitButton busy={form.busy} wide>
        {t(form.busy ? 'signingUp' : 'signUp')}
      </SubmitButton>
      <p className="login-other">
        {t('haveAccount')}{' '}
        <a className="link" href={logIn}>
          {t('toLogIn')}
        </a>
      </p>
    </form>
  );
}
