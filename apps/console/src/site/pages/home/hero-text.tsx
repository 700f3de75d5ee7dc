import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useInvited } from '../../shared/invite.js';
import { useBrand } from '../../../shared/site/use-site-info.js';
import { useFreeTest } from '../../shared/free-test.js';

export function HeroText() {
  const t = useMessages('home');
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
        <a className="btn btn-p btn-lg" href={useFreeTest()}>
          {t('freeTest')}
        </a>
        <a className="btn btn-d btn-lg" href={invited('/price')}>
          {t('seePrice')}
        </a>
      </div>
      <p>{t('note')}</p>
    </>
  );
}
