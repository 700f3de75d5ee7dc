import { Link } from 'react-router';
import { useTexts } from '../../shared/i18n/texts.js';
import { Icon } from '../../shared/ui/icon.js';

const ACTIONS = [
  { to: '/UserCenterChangeTranslateTest', icon: 'translate', title: 'quickTranslate', note: 'quickTranslateNote' },
  { to: '/UserCenterAccountLog', icon: 'file', title: 'quickAccountLog', note: 'quickAccountLogNote' },
  { to: '/UserCenterChangeTranslateLog', icon: 'list', title: 'quickTranslationLog', note: 'quickTranslationLogNote' },
  { to: '/UserCenterLoginLog', icon: 'clock', title: 'quickLoginLog', note: 'quickLoginLogNote' },
] as const;

export function QuickActions() {
  const t = useTexts('overview');
  return (
    <nav className="card ov-quick" aria-label={t('quick')}>
      {ACTIONS.map(({ to, icon, title, note }) => (
        <Link key={to} to={to}>
          <Icon name={icon} />
          <b>{t(title)}</b>
          <span>{t(note)}</span>
          <Icon name="forward" className="go" />
        </Link>
      ))}
    </nav>
  );
}
