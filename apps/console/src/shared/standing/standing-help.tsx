import { Link } from 'react-router';
import { isMain, type User } from '../auth/user.js';
import { useMessages } from '../i18n/messages.js';
import { standingHelp } from './standing-text.js';
import type { Standing } from './standing.js';

type StandingHelpProps = { user: User; standing: Standing; className?: string };

/** The way on: to the packages for who may buy, to the main account for who may not. */
export function StandingHelp({ user, standing, className = 'link' }: StandingHelpProps) {
  const t = useMessages('standing');
  const main = isMain(user);
  const help = standingHelp(standing, { main, t });
  if (!main) return <span>{help}</span>;
  return (
    <Link className={className} to="/UserCenterRecharge">
      {help}
    </Link>
  );
}
