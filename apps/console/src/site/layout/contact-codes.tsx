import { useEffect, useId, useState, type FocusEvent } from 'react';
import { closedUp } from '../../shared/customer-service/closed-up.js';
import { platformName } from '../../shared/customer-service/platform-name.js';
import type { ServiceAccount } from '../../shared/customer-service/service.js';
import { useMessages } from '../../shared/i18n/messages.js';
import { Icon, type IconName } from '../../shared/ui/icon.js';

/** Shown at this size (specification §9). */
const SHOWN_SIDE = 160;

export type Reached = ServiceAccount & { platform: string };

type CodesProps = { icon: IconName; name: string; title: string; all: readonly Reached[] };

/** Calls `close` at Escape, wherever the focus is: what a mouse has opened can be closed by keyboard, too (WCAG 1.4.13). */
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

/** A button that shows codes beside it while it is pointed at or has the focus. Nothing when there is nobody. */
export function ContactCodes({ icon, name, title, all }: CodesProps) {
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
      className="side-codes"
      onMouseEnter={() => setOpen(true)}
      onMouseLeave={close}
      onFocus={() => setOpen(true)}
      onBlur={onBlur}
    >
      <button
        type="button"
        className="side-do"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(true)}
      >
        <Icon name={icon} />
        {name}
      </button>
      {open && (
        <div className="side-pop" id={id} role="group" aria-label={title}>
          <div className="side-card">
            <b>{title}</b>
            <ul>
              {all.map(({ platform, account, qrCode }) => (
                <li key={`${platform} ${account}`}>
                  <span className="qr">
                    <img
                      src={qrCode}
                      width={SHOWN_SIDE}
                      height={SHOWN_SIDE}
                      alt={closedUp(t('codeOf', { platform: platformName(platform), account }))}
                    />
                  </span>
                  {platformName(platform)}
                  <span className="dyn">{account}</span>
                </li>
              ))}
            </ul>
          </div>
        </div>
      )}
    </div>
  );
}
