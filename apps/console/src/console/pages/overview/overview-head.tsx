import { useState } from 'react';
import { billingModeOf, isMain, type User } from '../../../shared/auth/user.js';
import { copyText } from '../../../shared/clipboard.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import { greetingOf } from './overview.js';
import { LazyMount, NicknameDialog } from './lazy-dialogs.js';

/** A label and a value that copies itself when clicked (specification §2). */
function Copyable({ label, value }: { label: string; value: string }) {
  const t = useMessages('overview');
  return (
    <span className="ov-copy">
      {label}
      <button
        type="button"
        title={t('clickToCopy')}
        onClick={({ currentTarget }) => void copyText(value, currentTarget)}
      >
        <span className="dynamic-text">{value}</span>
        <Icon name="copy" />
        <span className="visually-hidden">{t('clickToCopy')}</span>
      </button>
    </span>
  );
}

/** The member (specification §2): avatar, greeting and nickname, kind of account, and names to copy. */
export function OverviewHead({ user }: { user: User }) {
  const t = useMessages('overview');
  const [renaming, setRenaming] = useState(false);
  const main = isMain(user);
  const group = language === 'zh' ? user.memberGroup.name : user.memberGroup.enName;
  return (
    <header className="page-header ov-head">
      <span className="avatar" aria-hidden="true">
        {[...user.nickname][0]?.toUpperCase()}
      </span>
      <div>
        <div className="ov-hello">
          <h1>
            {t('greeting', { greeting: t(greetingOf(new Date().getHours())) })}
            <span className="dynamic-text">{user.nickname}</span>
          </h1>
          <button
            type="button"
            className="close-button"
            aria-label={t('changeNickname')}
            title={t('changeNickname')}
            onClick={() => setRenaming(true)}
          >
            <Icon name="pencil" />
          </button>
        </div>
        <div className="page-header-note ov-who">
          <span className="badge transfer">{t(main ? 'mainAccount' : 'subAccount')}</span>
          {`${group} · ${t(billingModeOf(user) === 'time' ? 'byTime' : 'byChar')}`}
          {!main && <span className="ov-apart">{t('subBilling')}</span>}
        </div>
      </div>
      <div className="page-header-actions ov-ids">
        {main && <Copyable label={t('email')} value={user.account} />}
        <Copyable label={t('username')} value={user.username} />
      </div>
      <LazyMount open={renaming}>
        <NicknameDialog open={renaming} onClose={() => setRenaming(false)} />
      </LazyMount>
    </header>
  );
}
