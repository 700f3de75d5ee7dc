import { Link } from 'react-router';
import { useTexts } from '../../shared/i18n/texts.js';
import { useFreeTest } from './use-free-test.js';

export function HeroText() {
  const t = useTexts('home');
  return (
    <div>
      <h1>
        {t('headline1')}
        <br />
        {t('headline2')}
      </h1>
      <p className="lead">{t('lead')}</p>
      <div className="cta">
        <Link className="btn btn-p btn-lg" to={useFreeTest()}>
          {t('freeTest')}
        </Link>
        <Link className="btn btn-d btn-lg" to="/price">
          {t('seePrice')}
        </Link>
      </div>
      <p>{t('note')}</p>
    </div>
  );
}
