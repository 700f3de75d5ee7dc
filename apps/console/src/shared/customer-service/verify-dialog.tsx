import './verify.css';
import { useId, useState } from 'react';
import { useForm } from '../form/use-form.js';
import { SubmitButton } from '../form/submit-button.js';
import { TextField } from '../form/text-field.js';
import { useMessages } from '../i18n/messages.js';
import { useBrand } from '../site/use-site-info.js';
import { Dialog } from '../ui/dialog.js';
import { Icon } from '../ui/icon.js';
import { PlatformField } from './platform-field.js';
import { isVerified } from './service.js';

/** Who uses which word for an account (specification §5). */
const labelOf = (platform: string): 'telegramId' | 'wechatName' | 'accountCode' =>
  (({ telegram: 'telegramId', wechat: 'wechatName' }) as const)[platform.toLowerCase()] ?? 'accountCode';

type Verdict = 'verified' | 'attention';

type ResultProps = { onAgain: () => void; onClose: () => void };

function Answers({ onAgain, onClose }: ResultProps) {
  const t = useMessages('customer-service');
  const close = useMessages('shared')('close');
  return (
    <div className="dlg-foot">
      <button type="button" className="btn btn-d" onClick={onAgain}>
        {t('again')}
      </button>
      <button type="button" className="btn btn-p" data-first onClick={onClose}>
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
      <div className="dlg-body">
        <div className="cs-said">
          <Icon name="shield" />
          <p id={news}>{t('verifiedWhy', { brand: useBrand() })}</p>
        </div>
      </div>
      <Answers {...props} />
    </Dialog>
  );
}

/** For every doubt, and red (specification §8). */
function Attention(props: ResultProps) {
  const t = useMessages('customer-service');
  const warning = useId();
  return (
    <Dialog title={t('attention')} warning={warning} className="cs-bad" onClose={props.onClose}>
      <div className="dlg-body">
        <div className="cs-said">
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
        <div className="dlg-body">
          <PlatformField {...platform} />
          <TextField {...form.field('account')} label={t(label)} autoComplete="off" maxLength={128} />
        </div>
        <div className="dlg-foot">
          <button type="button" className="btn btn-d" onClick={onClose}>
            {t('cancel')}
          </button>
          <SubmitButton busy={form.busy}>{t('check')}</SubmitButton>
        </div>
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
