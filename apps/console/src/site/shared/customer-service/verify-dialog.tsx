import { useId, useState } from 'react';
import { useLoaded } from '../use-loaded.js';
import { SubmitButton } from '../form/submit-button.js';
import { TextField } from '../form/text-field.js';
import { useForm, type FieldProps } from '../form/use-form.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useBrand } from '../../../shared/site/use-site-info.js';
import { Dialog } from '../../../shared/ui/dialog.js';
import { Icon } from '../../../shared/ui/icon.js';
import { isVerified, listPlatforms, platformName } from './service.js';
import './verify.css';

/** The hint: a validation error, or a loading failure with a reload button. */
function Line({ text, onReload }: { text: string | null; onReload: (() => void) | null }) {
  const t = useMessages('customer-service');
  const reload = useMessages('shared')('reload');
  if (!onReload) return text;
  return (
    <>
      {t('platformsFailed')}
      <button type="button" className="link" onClick={onReload}>
        {reload}
      </button>
    </>
  );
}

/** The platform of the account. The select is there while the platforms load, and says so. */
function PlatformField({ id, value, verdict, onValue, onBlur }: FieldProps) {
  const t = useMessages('customer-service');
  const wait = useMessages('shared')('loading');
  const { loaded, reload } = useLoaded(listPlatforms);
  const failed = loaded.state === 'failed';
  const bad = verdict?.kind === 'error';
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {t('platform')}
      </label>
      <span className={`field-input verify-select ${bad || failed ? 'invalid' : ''}`}>
        <select
          id={id}
          data-first
          value={value}
          required
          aria-invalid={bad}
          aria-describedby={`${id}-line`}
          onChange={(event) => onValue(event.target.value)}
          onBlur={onBlur}
        >
          <option value="">{loaded.state === 'loading' ? wait : t('choosePlatform')}</option>
          {loaded.state === 'ready' &&
            loaded.value.map((platform) => (
              <option key={platform} value={platform}>
                {platformName(platform)}
              </option>
            ))}
        </select>
        <Icon name="down" />
      </span>
      <p className={bad || failed ? 'field-hint error' : 'field-hint'} id={`${id}-line`} aria-live="polite">
        <Line text={bad ? verdict.text : null} onReload={failed ? reload : null} />
      </p>
    </div>
  );
}

/** Each platform's word for an account (specification §5). */
const labelOf = (platform: string): 'telegramId' | 'wechatName' | 'accountCode' =>
  (({ telegram: 'telegramId', wechat: 'wechatName' }) as const)[platform.toLowerCase()] ?? 'accountCode';

type Verdict = 'verified' | 'attention';

type ResultProps = { onAgain: () => void; onClose: () => void };

function Answers({ onAgain, onClose }: ResultProps) {
  const t = useMessages('customer-service');
  const close = useMessages('shared')('close');
  return (
    <div className="dialog-footer">
      <button type="button" className="button button-default" onClick={onAgain}>
        {t('again')}
      </button>
      <button type="button" className="button button-primary" data-first onClick={onClose}>
        {close}
      </button>
    </div>
  );
}

function Verified(props: ResultProps) {
  const t = useMessages('customer-service');
  const news = useId();
  return (
    <Dialog title={t('verified')} news={news} onClose={props.onClose}>
      <div className="dialog-body">
        <div className="verify-result">
          <Icon name="shield" />
          <p id={news}>{t('verifiedWhy', { brand: useBrand() })}</p>
        </div>
      </div>
      <Answers {...props} />
    </Dialog>
  );
}

/** Any result but a clear confirmation, in red (specification §8). */
function Attention(props: ResultProps) {
  const t = useMessages('customer-service');
  const warning = useId();
  return (
    <Dialog title={t('attention')} warning={warning} className="verify-failed" onClose={props.onClose}>
      <div className="dialog-body">
        <div className="verify-result">
          <Icon name="alert" />
          <p id={warning}>{t('attentionWhy')}</p>
        </div>
      </div>
      <Answers {...props} />
    </Dialog>
  );
}

function Question({ onVerdict, onClose }: { onVerdict: (verdict: Verdict) => void; onClose: () => void }) {
  const t = useMessages('customer-service');
  const form = useForm({
    platform: { rule: (value: string) => (value === '' ? 'PLATFORM_REQUIRED' : null) },
    account: { rule: (value: string) => (value.trim() === '' ? 'SERVICE_ACCOUNT_REQUIRED' : null) },
  });
  const platform = form.field('platform');
  const label = labelOf(platform.value);
  const submit = form.onSubmit(async ({ platform: where, account }) =>
    onVerdict((await isVerified(where, account)) ? 'verified' : 'attention'),
  );
  return (
    <Dialog title={t('verify')} onClose={onClose} busy={form.busy}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <div className="dialog-body">
          <PlatformField {...platform} />
          <TextField {...form.field('account')} label={t(label)} autoComplete="off" maxLength={128} />
        </div>
        <div className="dialog-footer">
          <button type="button" className="button button-default" onClick={onClose}>
            {t('cancel')}
          </button>
          <SubmitButton busy={form.busy}>{t('check')}</SubmitButton>
        </div>
      </form>
    </Dialog>
  );
}

/** Asks for an account and shows the result in a dialog with that title (specification §8). */
export default function VerifyDialog({ onClose }: { onClose: () => void }) {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  if (verdict === null) return <Question onVerdict={setVerdict} onClose={onClose} />;
  const Result = verdict === 'verified' ? Verified : Attention;
  return <Result onAgain={() => setVerdict(null)} onClose={onClose} />;
}
