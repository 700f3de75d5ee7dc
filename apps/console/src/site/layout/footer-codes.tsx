import { use } from 'react';
import { closedUp } from '../../shared/customer-service/closed-up.js';
import { platformName } from '../../shared/customer-service/platform-name.js';
import { listService, type Service } from '../../shared/customer-service/service.js';
import { useLoaded } from '../../shared/api/use-loaded.js';
import { useMessages } from '../../shared/i18n/messages.js';
import { SiteDataContext } from '../../shared/site/site-data.js';

/** Asked for at the one size and shown at the other (specification §7, §9). */
const CODE_SIDE = 400;
const SHOWN_SIDE = 90;

const load = (signal: AbortSignal): Promise<Service> => listService(CODE_SIDE, signal);

/** One code of each platform; nothing while there is nobody to write to, and when nobody can be asked. */
export function FooterCodes() {
  const t = useMessages('site');
  const { loaded } = useLoaded(load, use(SiteDataContext).service);
  const firsts = loaded.state === 'ready' ? loaded.value : [];
  if (firsts.length === 0) return null;
  return (
    <div className="qrs">
      {firsts.slice(0, 3).map(({ platform, accountList: [account] }) => (
        <figure key={platform}>
          <span className="qr">
            <img
              src={account?.qrCode}
              width={SHOWN_SIDE}
              height={SHOWN_SIDE}
              loading="lazy"
              alt={closedUp(t('codeOf', { platform: platformName(platform), account: account?.account ?? '' }))}
            />
          </span>
          <figcaption>{platformName(platform)}</figcaption>
        </figure>
      ))}
    </div>
  );
}
