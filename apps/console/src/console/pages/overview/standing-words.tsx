import { isMain, type User } from '../../../shared/auth/user.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { StandingHelp } from '../../../shared/standing/standing-help.js';
import { standingText } from '../../../shared/standing/standing-text.js';
import { useStanding } from '../../../shared/standing/use-standing.js';

/** That the package is over. A main account has the way on beside it; a sub-account is told whom to ask. */
export function PackageOver({ user }: { user: User }) {
  const t = useTexts('standing');
  const stands = useStanding();
  const main = isMain(user);
  if (stands?.standing.kind !== 'expired') return null;
  return (
    <span className="ov-expired">
      {standingText(stands.standing, { main, t })}
      {!main && ' '}
      {!main && <StandingHelp user={user} standing={stands.standing} />}
    </span>
  );
}
