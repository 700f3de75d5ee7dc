import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { isMain, useMember } from '../../shared/auth/user.js';
import { copyText } from '../../shared/clipboard.js';
import { language } from '../../shared/i18n/language.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { NicknameDialog } from '../../shared/nickname/nickname-dialog.js';
import { PageHeader } from '../../shared/ui/console/page-header.js';
import './account.css';

function Fact({ label, action, children }: { label: string; action?: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
      <dd className="ac-act">{action}</dd>
    </div>
  );
}

/** /UserCenterInfo: who the member is, and what of it can be changed (specification §2). */
export default function InfoPage() {
  const t = useTexts('account');
  const rename = useTexts('nickname');
  const user = useMember();
  const [renaming, setRenaming] = useState(false);
  const main = isMain(user);
  const copy = (value: string) => (
    <button
      type="button"
      className="btn btn-t btn-sm"
      onClick={({ currentTarget }) => void copyText(value, currentTarget)}
    >
      {t('copy')}
    </button>
  );
  return (
    <>
      <PageHeader title={t('infoTitle')} note={t('infoNote')} />
      <section className="card ac-info" aria-label={t('infoTitle')}>
        <div className="ac-face" aria-hidden="true">
          {[...user.nickname][0]?.toUpperCase()}
        </div>
        <dl>
          <Fact
            label={t('nickname')}
            action={
              <button type="button" className="btn btn-d btn-sm" onClick={() => setRenaming(true)}>
                {rename('change')}
              </button>
            }
          >
            <span className="dyn">{user.nickname}</span>
          </Fact>
          <Fact label={t('username')} action={copy(user.username)}>
            <span className="dyn">{user.username}</span>
          </Fact>
          {main && (
            <Fact label={t('email')} action={copy(user.account)}>
              <span className="dyn">{user.account}</span>
            </Fact>
          )}
          <Fact label={t('kind')}>
            <span className="tag mov">{t(main ? 'mainAccount' : 'subAccount')}</span>
          </Fact>
          <Fact label={t('memberGroup')}>{language === 'zh' ? user.memberGroup.name : user.memberGroup.enName}</Fact>
          <Fact label={t('registered')}>
            <span className="num">{user.registerDateTime}</span>
          </Fact>
          <Fact
            label={t('password')}
            action={
              <Link className="btn btn-d btn-sm" to="/UserCenterChangePassword">
                {t('changePassword')}
              </Link>
            }
          >
            <span className="faint">{t('hidden')}</span>
          </Fact>
        </dl>
      </section>
      <NicknameDialog open={renaming} onClose={() => setRenaming(false)} />
    </>
  );
}
