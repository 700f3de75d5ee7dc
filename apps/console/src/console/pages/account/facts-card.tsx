import type { ReactNode } from 'react';
import { isMain, type User } from '../../../shared/auth/user.js';
import { copyText } from '../../../shared/clipboard.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';

function Fact({ label, action, children }: { label: string; action?: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
      <dd>{action}</dd>
    </div>
  );
}

function Copy({ value }: { value: string }) {
  const t = useMessages('account');
  return (
    <button
      type="button"
      className="button button-text button-small"
      onClick={({ currentTarget }) => void copyText(value, currentTarget)}
    >
      {t('copy')}
    </button>
  );
}

type FactsCardProps = { user: User; onRename: () => void; onPassword: () => void };

/** The member's data (specification §3), and buttons to change some of it. */
export function FactsCard({ user, onRename, onPassword }: FactsCardProps) {
  const t = useMessages('account');
  const rename = useMessages('nickname');
  const main = isMain(user);
  const act = (label: string, onClick: () => void) => (
    <button type="button" className="button button-default button-small" onClick={onClick}>
      {label}
    </button>
  );
  return (
    <section className="card ac-info" aria-label={t('infoTitle')}>
      <div className="ac-face" aria-hidden="true">
        {[...user.nickname][0]?.toUpperCase()}
      </div>
      <dl>
        <Fact label={t('nickname')} action={act(rename('change'), onRename)}>
          <span className="dynamic-text">{user.nickname}</span>
        </Fact>
        <Fact label={t('username')} action={<Copy value={user.username} />}>
          <span className="dynamic-text">{user.username}</span>
        </Fact>
        <Fact label={t('userId')} action={<Copy value={String(user.userId)} />}>
          <span className="numeric">{user.userId}</span>
        </Fact>
        {main && (
          <Fact label={t('email')} action={<Copy value={user.account} />}>
            <span className="dynamic-text">{user.account}</span>
          </Fact>
        )}
        <Fact label={t('kind')}>
          <span className="badge transfer">{t(main ? 'mainAccount' : 'subAccount')}</span>
        </Fact>
        <Fact label={t('memberGroup')}>
          {language === 'zh' ? user.memberGroup.name : user.memberGroup.enName}
          {!main && <small className="ac-apart">{t('subBilling')}</small>}
        </Fact>
        <Fact label={t('expiry')}>
          <span className="numeric">{user.memberAccount.expireDateTime ?? '–'}</span>
        </Fact>
        <Fact label={t('registered')}>
          <span className="numeric">{user.registerDateTime}</span>
        </Fact>
        <Fact label={t('password')} action={act(t('changePassword'), onPassword)}>
          <span className="faint">{t('hidden')}</span>
        </Fact>
      </dl>
    </section>
  );
}
