import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useFreeTest } from '../../shared/free-test.js';

/** The idea of the house, as one pair across the waterline. */
export function Statement() {
  const t = useMessages('home');
  return (
    <section className="sec">
      <div className="wrap st">
        <p className="display">
          {t('statement1')}
          {language === 'en' && ' '}
          <br />
          {t('statement2')}
          <span lang={language === 'zh' ? 'en' : 'zh'}>{t('statementOther')}</span>
        </p>
        <div>
          <p className="muted">{t('statementWhy')}</p>
          <a className="btn btn-p btn-lg" href={useFreeTest()}>
            {t('freeTest')}
          </a>
        </div>
      </div>
    </section>
  );
}
