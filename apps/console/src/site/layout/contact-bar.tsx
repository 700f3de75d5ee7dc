import { useEffect, useId, useState, type FocusEvent } from 'react';
import { useLoaded } from '../shared/use-loaded.js';
import { withoutHanSpaces } from '../../shared/i18n/han-spacing.js';
import { useMessages } from '../../shared/i18n/messages.js';
import { addIcons, Icon, type IconName } from '../../shared/ui/icon.js';
import '../../shared/ui/more-icons.js';
import {
  isAfterSale,
  listService,
  platformName,
  type Service,
  type ServiceAccount,
} from '../shared/customer-service/service.js';
import { VerifyButton } from '../shared/customer-service/verify-button.js';
import { useFreeTest } from '../shared/free-test.js';
import './contact-bar.css';

declare module '../../shared/ui/icon.js' {
  interface EntryIcons {
    headset: string;
  }
}

addIcons({
  headset:
    'M4 14v-2a8 8 0 0 1 16 0v2M4.5 13h1A1.5 1.5 0 0 1 7 14.5v3A1.5 1.5 0 0 1 5.5 19h-1A1.5 1.5 0 0 1 3 17.500v-3A1.5 1.5 0 0 1 4.5 13zM18.5 13h1a1.5 1.5 0 0 1 1.5 1.500v3a1.5 1.5 0 0 1-1.5 1.500h-1a1.5 1.5 0 0 1-1.5-1.500v-3a1.5 1.5 0 0 1 1.5-1.500z',
});

/** Displayed size (specification §9). */
const SHOWN_SIDE = 160;

type Reached = ServiceAccount & { platform: string };

type CodesProps = { icon: IconName; name: string; title: string; all: readonly Reached[] };

/** Closes on Escape, wherever the focus is: content opened by hover must be dismissible by keyboard (WCAG 1.4.13). */
function useEscape(open: boolean, close: () => void): void {
  useEffect(() => {
    if (!open) return undefined;
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') close();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [open, close]);
}

/** A button that shows QR codes beside it on hover and focus. Renders nothing without accounts. */
function ContactCodes({ icon, name, title, all }: CodesProps) {
  const t = useMessages('customer-service');
  const id = useId();
  const [open, setOpen] = useState(false);
  const [close] = useState(() => () => setOpen(false));
  useEscape(open, close);
  if (all.length === 0) return null;
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void => {
    if (!currentTarget.contains(relatedTarget)) close();
  };
  return (
    <div
      className="contact-bar-codes"
      onMouseEnter={() => setOpen(true)}
      onMouseLeave={close}
      onFocus={() => setOpen(true)}
      onBlur={onBlur}
    >
      <button
        type="button"
        className="contact-bar-button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(true)}
      >
        <Icon name={icon} />
        {name}
      </button>
      {open && (
        <div className="contact-bar-popup" id={id} role="group" aria-label={title}>
          <div className="contact-bar-card">
            <b>{title}</b>
            <ul>
              {all.map(({ platform, account, qrCode }) => (
                <li key={`${platform} ${account}`}>
                  <span className="qr-code">
                    <img
                      src={qrCode}
                      width={SHOWN_SIDE}
                      height={SHOWN_SIDE}
                      alt={withoutHanSpaces(t('codeOf', { platform: platformName(platform), account }))}
                    />
                  </span>
                  {platformName(platform)}
                  <span className="dynamic-text">{account}</span>
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
    </div>
  );
}

/** Requested size (specification §7, §9). */
const CODE_SIDE = 800;

const load = (signal: AbortSignal): Promise<Service> => listService(CODE_SIDE, signal);

const reachedIn = (service: Service): Reached[] =>
  service.flatMap(({ platform, accountList }) => accountList.map((account) => ({ platform, ...account })));

/** Contacts before and after the sale, account verification and the free test. It appears at once when all of it is loaded. */
export default function ContactBar() {
  const t = useMessages('customer-service');
  const freeTest = useFreeTest();
  const { loaded } = useLoaded(load);
  if (loaded.state === 'loading') return null;
  const all = loaded.state === 'ready' ? reachedIn(loaded.value) : [];
  return (
    <aside className="contact-bar" aria-label={t('quickContact')}>
      <ContactCodes
        icon="chat"
        name={t('sales')}
        title={t('scanSales')}
        all={all.filter((each) => !isAfterSale(each))}
      />
      <ContactCodes icon="headset" name={t('support')} title={t('scanSupport')} all={all.filter(isAfterSale)} />
      <VerifyButton className="contact-bar-button" />
      <a className="contact-bar-button primary" href={freeTest}>
        <Icon name="bolt" />
        {t('freeTest')}
      </a>
    </aside>
  );
}
