import { use, useSyncExternalStore } from 'react';
import { useLoaded } from '../shared/use-loaded.js';
import { withoutHanSpaces } from '../../shared/i18n/han-spacing.js';
import { useMessages } from '../../shared/i18n/messages.js';
import { Logo } from '../../shared/site/logo.js';
import { SiteDataContext } from '../../shared/site/site-data.js';
import { useCompany, useCopyright, useSiteInfo } from '../../shared/site/use-site-info.js';
import { THEMES } from '../../shared/theme/theme-cookie.js';
import { chooseTheme, currentTheme, subscribeTheme } from '../../shared/theme/theme.js';
import { listService, platformName, type Service } from '../shared/customer-service/service.js';
import { VerifyButton } from '../shared/customer-service/verify-button.js';
import { useInvited } from '../shared/invite.js';

/** Requested and displayed size (specification §7, §9). */
const CODE_SIDE = 400;
const SHOWN_SIDE = 90;

const load = (signal: AbortSignal): Promise<Service> => listService(CODE_SIDE, signal);

/** One QR code per platform; nothing while there are no accounts or loading failed. */
function FooterCodes() {
  const t = useMessages('site');
  const { loaded } = useLoaded(load, use(SiteDataContext).service);
  const firsts = loaded.state === 'ready' ? loaded.value : [];
  if (firsts.length === 0) return null;
  return (
    <div className="site-footer-codes">
      {firsts.slice(0, 3).map(({ platform, accountList: [account] }) => (
        <figure key={platform}>
          <span className="qr-code">
            <img
              src={account?.qrCode}
              width={SHOWN_SIDE}
              height={SHOWN_SIDE}
              loading="lazy"
              alt={withoutHanSpaces(t('codeOf', { platform: platformName(platform), account: account?.account ?? '' }))}
            />
          </span>
          <figcaption>{platformName(platform)}</figcaption>
        </figure>
      ))}
    </div>
  );
}

const PRODUCT = [
  { to: '/price', text: 'pagePrice' },
  { to: '/download', text: 'pageDownload' },
  { to: '/productDesc', text: 'pageProductDesc' },
  { to: '/useDoc', text: 'pageUseDoc' },
  { to: '/developers', text: 'pageDevelopers' },
  { to: '/changelog', text: 'pageChangelog' },
] as const;
const SUPPORT = [
  { to: '/contactUs', text: 'pageContact' },
  { to: '/status', text: 'pageStatus' },
  { to: '/ledger-proof', text: 'pageLedgerProof' },
  { to: '/term-and-condition', text: 'pageAgreement' },
  { to: '/privacy', text: 'pagePrivacy' },
  { to: '/refund', text: 'pageRefund' },
] as const;

const THEME_NAMES = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const;

/** Light, dark, or as the system has it; the choice also applies to the console. */
function ThemeSwitch() {
  const t = useMessages('shared');
  const chosen = useSyncExternalStore(subscribeTheme, currentTheme, () => null);
  return (
    <span className="theme-switch" role="group" aria-label={t('theme')}>
      {THEMES.map((theme) => (
        <button key={theme} type="button" aria-pressed={theme === chosen} onClick={() => chooseTheme(theme)}>
          {t(THEME_NAMES[theme])}
        </button>
      ))}
    </span>
  );
}

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
    <footer className="site-footer">
      <div className="page-width">
        <div className="site-footer-grid">
          <div>
            <a className="logo" href={invited('/home')}>
              <Logo />
            </a>
            <p>{company}</p>
          </div>
          <div className="site-footer-columns">
            {column(t('footProduct'), PRODUCT)}
            {column(t('footSupport'), SUPPORT)}
          </div>
          <FooterCodes />
        </div>
        <div className="site-footer-bottom">
          <span>{copyright}</span>
          <ThemeSwitch />
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
