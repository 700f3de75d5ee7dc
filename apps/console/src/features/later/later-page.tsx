import './later.css';
import { Link, useLocation } from 'react-router';
import { useSignedIn } from '../../shared/auth/stored-user.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { Empty } from '../../shared/ui/empty.js';

const NAMES = {} as const;
type Known = keyof typeof NAMES;

const isKnown = (path: string): path is Known => Object.hasOwn(NAMES, path);

/** A page of the specification that this version does not have yet says so, and leads on. */
export default function LaterPage() {
  const t = useTexts('later');
  const signedIn = useSignedIn();
  const path = useLocation().pathname.toLowerCase();
  return (
    <div className="later">
      <Empty
        level="h1"
        title={t('title', { page: isKnown(path) ? t(NAMES[path]) : '' })}
        action={
          <>
            <Link className="btn btn-d" to="/home">
              {t('backHome')}
            </Link>
            <Link className="btn btn-p" to={signedIn ? '/UserCenterChangeTranslateTest' : '/login?type=2'}>
              {t(signedIn ? 'test' : 'signUp')}
            </Link>
          </>
        }
      >
        {t(signedIn ? 'why' : 'whyVisitor')}
      </Empty>
    </div>
  );
}
