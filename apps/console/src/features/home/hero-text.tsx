import { Link } from 'react-router';
import { language } from '../../shared/i18n/language.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { useInvited } from '../../shared/invite.js';
import { useBrand } from '../../shared/site/use-site-info.js';
import { useFreeTest } from '../../shared/free-test.js';

export function HeroText() {
  const t = useTexts('home');
  const brand = useBrand();
  const invited = useInvited();
  return (
    <>
      <h1>
        {t('headline1')}
        {language === 'en' && ' '}
        <br />
        {t('headline2')}
      </h1>
      <p className="lead">{t('lead', { brand })}</p>
      <div className="cta">
        <Link className="btn btn-p btn-lg" to={useFreeTest()}>
          {t('freeTest')}
        </Link>
        <Link className="btn btn-d btn-lg" to={invited('/price')}>
          {t('seePrice')}
        </Link>
      </div>
      <p>{t('note')}</p>
    </>
  );
}
