import { use, useState } from 'react';
import { useLoaded } from '../../shared/use-loaded.js';
import { copyText } from '../../../shared/clipboard.js';
import { withoutHanSpaces } from '../../../shared/i18n/han-spacing.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { SiteDataContext } from '../../../shared/site/site-data.js';
import { useBrand } from '../../../shared/site/use-site-info.js';
import { Empty } from '../../../shared/ui/empty.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import {
  isAfterSale,
  listService,
  platformName,
  type Service,
  type ServiceAccount,
} from '../../shared/customer-service/service.js';
import { VerifyButton } from '../../shared/customer-service/verify-button.js';
import { nonBreaking } from '../../shared/non-breaking.js';
import './contact.css';

/** Requested and displayed size of a code, the same as in the contact bar (specification §9). */
const CODE_SIDE = 400;
const SHOWN_SIDE = 160;

type Reached = ServiceAccount & { platform: string };

const load = (signal: AbortSignal): Promise<Service> => listService(CODE_SIDE, signal);

/** The button itself confirms the copy (specification §9). */
function CopyButton({ platform, account }: Reached) {
  const t = useMessages('customer-service');
  const [copied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className="button button-default button-small"
      aria-label={
        copied ? t('copied') : withoutHanSpaces(t('copyAccount', { platform: platformName(platform), account }))
      }
      onClick={(event) => {
        void copyText(account, event.currentTarget);
        setCopied(true);
        setTimeout(() => setCopied(false), 2_000);
      }}
    >
      {t(copied ? 'copied' : 'copy')}
    </button>
  );
}

function Row(reached: Reached) {
  const t = useMessages('customer-service');
  const { account, qrCode, referUrl } = reached;
  const platform = platformName(reached.platform);
  const [broken, setBroken] = useState(false);
  return (
    <li className="contact-row">
      <span className="qr-code">
        {broken ? (
          <span className="contact-none">{platform}</span>
        ) : (
          <img
            src={qrCode}
            width={SHOWN_SIDE}
            height={SHOWN_SIDE}
            loading="lazy"
            alt={withoutHanSpaces(t('codeOf', { platform, account }))}
            onError={() => setBroken(true)}
          />
        )}
      </span>
      <span className="contact-who">
        <b>{platform}</b>
        <span className="dynamic-text">{account}</span>
      </span>
      <span className="contact-actions">
        <CopyButton {...reached} />
        {referUrl !== '' && (
          <a
            className="button button-text button-small"
            href={referUrl}
            target="_blank"
            rel="noopener noreferrer"
            aria-label={t('openLinkOf', { platform, account })}
          >
            {t('openLink')}
          </a>
        )}
      </span>
    </li>
  );
}

function Group({ title, why, all }: { title: string; why: string; all: readonly Reached[] }) {
  if (all.length === 0) return null;
  return (
    <section className="contact-group">
      <header>
        <h2>{title}</h2>
        <p>{nonBreaking(why)}</p>
      </header>
      <ul>
        {all.map((each) => (
          <Row key={`${each.platform} ${each.account}`} {...each} />
        ))}
      </ul>
    </section>
  );
}

/** As high as three contacts, the usual number before the sale. */
function Skeleton() {
  const t = useMessages('customer-service');
  const loading = useMessages('shared')('loading');
  return (
    <section className="contact-group" aria-busy="true" aria-label={loading}>
      <header>
        <h2>{t('preSale')}</h2>
        <p>{nonBreaking(t('preSaleWhy'))}</p>
      </header>
      <ul aria-hidden="true">
        {[1, 2, 3].map((row) => (
          <li key={row} className="contact-row">
            <span className="skeleton contact-code" />
            <span className="skeleton" />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Everybody({ service }: { service: Service }) {
  const t = useMessages('customer-service');
  const all = service.flatMap(({ platform, accountList }) => accountList.map((each) => ({ platform, ...each })));
  if (all.length === 0) return <Empty title={t('nobody')}>{t('nobodyWhy')}</Empty>;
  return (
    <>
      <Group title={t('preSale')} why={t('preSaleWhy')} all={all.filter((each) => !isAfterSale(each))} />
      <Group title={t('afterSale')} why={t('afterSaleWhy')} all={all.filter(isAfterSale)} />
    </>
  );
}

/** Contacts before and after the sale, and account verification (specification §2). */
export default function ContactPage() {
  const t = useMessages('customer-service');
  const brand = useBrand();
  const { loaded, reload } = useLoaded(load, use(SiteDataContext).service);
  return (
    <div className="page-width contact">
      <header className="contact-head">
        <h1 className="display">{t('contactTitle')}</h1>
        <p>{nonBreaking(t('contactLead', { brand }))}</p>
      </header>
      {loaded.state === 'loading' && <Skeleton />}
      {loaded.state === 'failed' && <ErrorState onReload={reload}>{loaded.why}</ErrorState>}
      {loaded.state === 'ready' && <Everybody service={loaded.value} />}
      <aside className="contact-verify" aria-label={t('verify')}>
        <p>
          <span>{t('verifyWhy', { brand })}</span> <span>{t('verifyHow')}</span>
        </p>
        <VerifyButton className="button button-primary" />
      </aside>
    </div>
  );
}
