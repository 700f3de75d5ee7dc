import { useTexts } from '../../../shared/i18n/texts.js';
import { StandingHelp } from '../../../shared/standing/standing-help.js';
import { standingText } from '../../../shared/standing/standing-text.js';
import { useStanding } from '../../../shared/standing/use-standing.js';

/** Quota can be shared while the package is over, but nobody can use it until it lives again (decisions §4). */
export function ExpiredNote() {
  const t = useTexts('standing');
  const stands = useStanding();
  if (stands?.standing.kind !== 'expired') return null;
  return (
    <p className="note w ds-expired">
      {standingText(stands.standing, { main: true, t })} <StandingHelp {...stands} />
    </p>
  );
}
