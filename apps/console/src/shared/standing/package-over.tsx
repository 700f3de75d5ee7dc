import { isMain } from '../auth/user.js';
import { useMessages } from '../i18n/messages.js';
import { StandingHelp } from './standing-help.js';
import { standingText } from './standing-text.js';
import { useStanding } from './use-standing.js';

/** Whether the package, or the trial, of the signed-in member is over. */
export const usePackageIsOver = (): boolean => useStanding()?.standing.kind === 'expired';

/** That it is over, in place of what can no longer be used, and the way on. Nothing while it is not. */
export function PackageOver({ className }: { className: string }) {
  const t = useMessages('standing');
  const stands = useStanding();
  if (stands?.standing.kind !== 'expired') return null;
  return (
    <span className={className}>
      {standingText(stands.standing, { main: isMain(stands.user), t })} <StandingHelp {...stands} />
    </span>
  );
}
