import { INVITE_REWARD_CHARS } from '@yiqiao/domain/limits';
import { copyText } from '../../../shared/clipboard.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { useBrand } from '../../../shared/site/use-site-info.js';
import { Icon } from '../../../shared/ui/icon.js';

/** The invitation: code, how many came, and a sentence to send (specification §1, §2; the text is built here, §3). */
export function InviteCard({ code, count }: { code: string; count: number }) {
  const t = useMessages('overview');
  const n = grouped(INVITE_REWARD_CHARS);
  const link = `${location.origin}/login?type=2&inviteCode=${encodeURIComponent(code)}`;
  const text = t('inviteText', { n, link, brand: useBrand() });
  return (
    <section className="card ov-invite" aria-labelledby="invite-title">
      <h2 id="invite-title">{t('inviteTitle')}</h2>
      <p>{t('inviteNote', { n })}</p>
      <div className="ov-code">
        <div>
          <small>{t('inviteCode')}</small>
          <code>{code}</code>
        </div>
        <div>
          <small>{t('invited')}</small>
          <span>
            <b>{grouped(count)}</b> {t('people')}
          </span>
        </div>
      </div>
      <p className="ov-text">{text}</p>
      <button
        type="button"
        className="button button-block"
        onClick={({ currentTarget }) => void copyText(text, currentTarget)}
      >
        <Icon name="copy" />
        {t('copyInvite')}
      </button>
    </section>
  );
}
