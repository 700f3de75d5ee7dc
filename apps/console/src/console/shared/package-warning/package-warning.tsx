import { MINUTE_MS } from '@yiqiao/domain/limits';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { lastUser, useUser } from '../../../shared/auth/stored-user.js';
import { isMain, type User } from '../../../shared/auth/user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import { wireNow } from '../wire-time.js';
import { warningAction, warningOf, warningText, type PackageWarning } from './warning.js';
import './package-warning.css';

/** The current time to the minute: packages end while a page is open. */
function useWireMinute(): string {
  const [now, setNow] = useState(() => wireNow());
  useEffect(() => {
    const timer = setInterval(() => setNow(wireNow()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

type MemberWarning = { user: User; warning: PackageWarning };

/** The warning for the signed-in member, or null. */
export function usePackageWarning(): MemberWarning | null {
  const now = useWireMinute();
  const user = useUser() ?? lastUser();
  const warning = user && warningOf(user, now);
  return warning && { user, warning };
}

/** Whether the package or the trial of the signed-in member has expired. */
export const usePackageExpired = (): boolean => usePackageWarning()?.warning.kind === 'expired';

/** A link to the packages for a main account; whom to ask for a sub-account. */
export function WarningAction({ user, warning, className = 'link' }: MemberWarning & { className?: string }) {
  const t = useMessages('package-warning');
  const main = isMain(user);
  const action = warningAction(warning, { main, t });
  if (!main) return <span>{action}</span>;
  return (
    <Link className={className} to="/UserCenterRecharge">
      {action}
    </Link>
  );
}

/** Shown in place of what an expired package cannot do. Renders nothing while the package is valid. */
export function PackageExpired({ className }: { className: string }) {
  const t = useMessages('package-warning');
  const current = usePackageWarning();
  if (current?.warning.kind !== 'expired') return null;
  return (
    <span className={className}>
      {warningText(current.warning, { main: isMain(current.user), t })} <WarningAction {...current} />
    </span>
  );
}

/** Dismissed until the page is reloaded: nothing but the keys in the specification may be stored (decisions §2). */
const dismissed = new Set<string>();

const keyOf = ({ user, warning }: MemberWarning): string =>
  [user.userId, warning.kind, warning.kind === 'ending' ? warning.date : ''].join(' ');

/** Above every console page: the most serious warning about the member's package (docs/decisions/0022). */
export function PackageWarningBanner() {
  const t = useMessages('package-warning');
  const current = usePackageWarning();
  const [, setDismissals] = useState(0);
  const key = current ? keyOf(current) : '';
  const dismiss = (): void => {
    dismissed.add(key);
    setDismissals((n) => n + 1);
  };
  // The live region exists before its content, so that screen readers announce the warning when it appears.
  return (
    <div role="status" aria-label={t('label')}>
      {current && !dismissed.has(key) && <Strip {...current} onClose={dismiss} />}
    </div>
  );
}

function Strip({ user, warning, onClose }: MemberWarning & { onClose: () => void }) {
  const t = useMessages('package-warning');
  return (
    <div className={warning.kind === 'expired' ? 'package-warning expired' : 'package-warning'}>
      <Icon name={warning.kind === 'low' ? 'info' : 'clock'} />
      <p className="numeric">{warningText(warning, { main: isMain(user), t })}</p>
      <WarningAction user={user} warning={warning} className="button button-default button-small" />
      <button type="button" className="close-button" aria-label={t('close')} onClick={onClose}>
        <Icon name="close" />
      </button>
    </div>
  );
}
