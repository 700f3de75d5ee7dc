import { Link } from 'react-router';
import { useTexts } from '../../shared/i18n/texts.js';
import { Logo } from '../../shared/ui/logo.js';

const PRODUCT = [
  { to: '/price', text: 'pagePrice' },
  { to: '/download', text: 'pageDownload' },
  { to: '/productDesc', text: 'pageProductDesc' },
  { to: '/useDoc', text: 'pageUseDoc' },
] as const;
const SUPPORT = [
  { to: '/contactUs', text: 'pageContact' },
  { to: '/term-and-condition', text: 'pageAgreement' },
] as const;

export function SiteFooter() {
  const t = useTexts('app');
  const column = (title: string, links: typeof PRODUCT | typeof SUPPORT) => (
    <div>
      <b>{title}</b>
      {links.map(({ to, text }) => (
        <Link key={to} to={to}>
          {t(text)}
        </Link>
      ))}
    </div>
  );
  return (
    <footer className="ft">
      <div className="wrap">
        <div className="g">
          <div>
            <Link className="logo" to="/home">
              <Logo />
            </Link>
            <p>{t('footAbout')}</p>
          </div>
          <div className="cols">
            {column(t('footProduct'), PRODUCT)}
            {column(t('footSupport'), SUPPORT)}
          </div>
        </div>
        <div className="btm">
          <span>{t('copyright')}</span>
        </div>
      </div>
    </footer>
  );
}
