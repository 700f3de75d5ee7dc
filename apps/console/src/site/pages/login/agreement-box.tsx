import { Fragment, useEffect, useRef, useState, type RefObject } from 'react';
import type { FieldProps } from '../../../shared/form/use-form.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';

const PAGE = '/term-and-condition';
/** What is agreed to, each a page of its own: a tab beside the form, which keeps what was typed. */
const DOCUMENTS = [
  { href: PAGE, text: 'agreementLink' },
  { href: '/privacy', text: 'privacyLink' },
  { href: '/refund', text: 'refundLink' },
] as const;

/** Whether the framed agreement has said that it was scrolled to its end; nobody else is believed (decisions §6). */
function useReadToEnd(frame: RefObject<HTMLIFrameElement | null>): boolean {
  const [read, setRead] = useState(false);
  useEffect(() => {
    const listen = ({ origin, source, data }: MessageEvent<unknown>): void => {
      if (origin === location.origin && source === frame.current?.contentWindow && data === 'TermScrollToBottom')
        setRead(true);
    };
    window.addEventListener('message', listen);
    return () => window.removeEventListener('message', listen);
  }, [frame]);
  return read;
}

/** The agreement in a frame, and the tick box that wakes up at its end. */
export function AgreementBox({ id, value, verdict, onValue, onBlur }: FieldProps) {
  const t = useMessages('login');
  const frame = useRef<HTMLIFrameElement>(null);
  const read = useReadToEnd(frame);
  const bad = verdict?.kind === 'error';
  const ticked = value !== '';
  return (
    <div className="agree">
      <iframe ref={frame} src={PAGE} title={t('agreementFrame')} />
      <div className="chk">
        <input
          type="checkbox"
          id={id}
          checked={ticked}
          disabled={!read}
          required
          aria-invalid={bad}
          aria-labelledby={`${id}-agreed`}
          aria-describedby={`${id}-line`}
          onChange={(event) => onValue(event.target.checked ? 'yes' : '')}
          onBlur={onBlur}
        />
        <span className={`box ${ticked ? 'on' : ''} ${bad ? 'bad' : ''}`} aria-hidden="true">
          {ticked && <Icon name="check" />}
        </span>
        <span id={`${id}-agreed`}>
          <label htmlFor={id}>{t('agree')}</label>
          {DOCUMENTS.map(({ href, text }, index) => (
            <Fragment key={href}>
              {index > 0 && t(index < DOCUMENTS.length - 1 ? 'comma' : 'and')}
              <a className="link" href={href} target="_blank" rel="noopener">
                {t(text)}
              </a>
            </Fragment>
          ))}
        </span>
      </div>
      <p className={`hint ${bad ? 'e' : ''}`} id={`${id}-line`} aria-live="polite">
        {bad && read ? verdict.text : read ? '' : t('agreementRead')}
      </p>
    </div>
  );
}
