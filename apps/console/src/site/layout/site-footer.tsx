import { VerifyButton } from '../../shared/customer-service/verify-button.js';
import { useMessages } from '../../shared/i18n/messages.js';
import { useInvited } from '../routing/invite.js';
import { useCompany, useCopyright, useSiteInfo } from '../../shared/site/use-site-info.js';
import { Logo } from '../../shared/site/logo.js';
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
  const t = useMessages('site');
  const record = useSiteInfo()?.record;
  const company = useCompany();
  const copyright = useCopyright();
  const invited = useInvited();
  const column = (title: string, links: typeof PRODUCT | typeof SUPPORT) => (
    <nav aria-label={title}>
      <b>{title}</b>
      {links.map(({ to, text }) => (
        <a key={to} href={invited(to)}>
          {t(text)}
        </a>
      ))}
    </nav>
  );
  return (
    <footer className="ft">
      <div className="wrap">
        <div className="g">
          <div>
            <a className="logo" href={invited('/home')}>
              <Logo />
            </a>
            <p>{company}</p>
          </div>
          <div className="cols">
            {column(t('footProduct'), PRODUCT)}
            {column(t('footSupport'), SUPPORT)}
          </div>
          <FooterCodes />
        </div>
        <div className="btm">
          <span>{copyright}</span>
          <VerifyButton className="link" />
          {record &&
            (record.url === '' ? (
              <span>{record.text}</span>
            ) : (
              <a href={record.url} target="_blank" rel="noopener noreferrer">
                {record.text}
              </a>
            ))}
        </div>
      </div>
    </footer>
  );
}
