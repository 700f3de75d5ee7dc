import { Link } from 'react-router';
import { VerifyButton } from '../../shared/customer-service/verify-button.js';
import { language } from '../../shared/i18n/language.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { useSiteInfo } from '../../shared/site/use-site-info.js';
import { Logo } from '../../shared/ui/logo.js';
import { FooterCodes } from './footer-codes.js';

const PRODUCT = [
  { to: '/price', text: 'pagePrice' },
  { to: '/download', text: 'pageDownload' },
  { to: '/productDesc', text: 'pageProductDesc' },
  { to: '/useDoc', text: 'pageUseDoc' },
] as const;
const SUPPORT = [
  { to: '/contactUs', text: 'pageContact' },
  { to: '/term-and-condition', text: 'pageAgreement' },
  { to: '/privacy', text: 'pagePrivacy' },
  { to: '/refund', text: 'pageRefund' },
] as const;

/** Company text, codes, filing record and copyright are data (decisions §6). */
export function SiteFooter() {
  const t = useTexts('app');
  const site = useSiteInfo();
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
            <p>{site?.company[language] ?? t('footAbout')}</p>
          </div>
          <div className="cols">
            {column(t('footProduct'), PRODUCT)}
            {column(t('footSupport'), SUPPORT)}
          </div>
          <FooterCodes />
        </div>
        <div className="btm">
          <span>{site?.copyright[language] ?? t('copyright')}</span>
          <VerifyButton className="link" />
          {site?.record &&
            (site.record.url === '' ? (
              <span>{site.record.text}</span>
            ) : (
              <a href={site.record.url} target="_blank" rel="noopener noreferrer">
                {site.record.text}
              </a>
            ))}
        </div>
      </div>
    </footer>
  );
}
