import './verify.css';
import { useId, useState } from 'react';
import { useForm } from '../form/use-form.js';
import { SubmitButton } from '../form/submit-button.js';
import { TextField } from '../form/text-field.js';
import { useTexts } from '../i18n/texts.js';
import { useBrand } from '../site/use-site-info.js';
import { Dialog } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { isVerified, listPlatforms } from './service.js';
import { useLoaded } from '../api/use-loaded.js';

/** Who uses which word for an account (specification §5). */
const labelOf = (platform: string): 'telegramId' | 'wechatName' | 'accountCode' =>
  (({ telegram: 'telegramId', wechat: 'wechatName' }) as const)[platform.toLowerCase()] ?? 'accountCode';

type Verdict = 'verified' | 'attention';

type ResultProps = { onAgain: () => void; onClose: () => void };

function Answers({ onAgain, onClose }: ResultProps) {
  const t = useTexts('customer-service');
  const close = useTexts('shared')('close');
  return (
    <footer>
      <button type="button" className="btn btn-d" onClick={onAgain}>
        {t('again')}
      </button>
      <button type="button" className="btn btn-p" data-first onClick={onClose}>
        {close}
      </button>
    </footer>
  );
}

function Verified(props: ResultProps) {
  const t = useTexts('customer-service');
  return (
    <Dialog title={t('verified')} onClose={props.onClose}>
      <div className="dlg-body cs-said" role="status">
        <Icon name="shield" />
        <p>{t('verifiedWhy', { brand: useBrand() })}</p>
      </div>
      <Answers {...props} />
    </Dialog>
  );
}

/** For every doubt, and red (specification §8). */
function Attention(props: ResultProps) {
  const t = useTexts('customer-service');
  const warning = useId();
  return (
    <Dialog title={t('attention')} warning={warning} className="cs-bad" onClose={props.onClose}>
      <div className="dlg-body cs-said">
        <Icon name="alert" />
        <p id={warning}>{t('attentionWhy')}</p>
      </div>
      <Answers {...props} />
    </Dialog>
  );
}

function Question({ onVerdict, onClose }: { onVerdict: (verdict: Verdict) => void; onClose: () => void }) {
  const t = useTexts('customer-service');
  const { loaded } = useLoaded(listPlatforms);
  const platforms = loaded.state === 'ready' ? loaded.value : [];
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
        <div className="dlg-body">
          <div className="fld">
            <label className="lb" htmlFor={platform.id}>
              {t('platform')}
            </label>
            <span className={`inp cs-sel ${platform.verdict?.kind === 'error' ? 'err' : ''}`}>
              <select
                id={platform.id}
                data-first
                value={platform.value}
                aria-invalid={platform.verdict?.kind === 'error'}
                aria-describedby={`${platform.id}-line`}
                onChange={(event) => platform.onValue(event.target.value)}
                onBlur={platform.onBlur}
              >
                <option value="">{t('choosePlatform')}</option>
                {platforms.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
              <Icon name="down" />
            </span>
            <p className="hint e" id={`${platform.id}-line`} aria-live="polite">
              {platform.verdict?.kind === 'error' && platform.verdict.text}
            </p>
          </div>
          <TextField {...form.field('account')} label={t(label)} autoComplete="off" maxLength={128} />
        </div>
        <footer>
          <button type="button" className="btn btn-d" onClick={onClose}>
            {t('cancel')}
          </button>
          <SubmitButton busy={form.busy}>{t('check')}</SubmitButton>
        </footer>
      </form>
    </Dialog>
  );
}

/** Asks whose account it is, and answers in a dialog that is titled with the result (specification §8). */
export default function VerifyDialog({ onClose }: { onClose: () => void }) {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  if (verdict === null) return <Question onVerdict={setVerdict} onClose={onClose} />;
  const Result = verdict === 'verified' ? Verified : Attention;
  return <Result onAgain={() => setVerdict(null)} onClose={onClose} />;
}
