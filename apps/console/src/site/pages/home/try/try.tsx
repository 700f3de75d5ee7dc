import { useEffect, useRef, useState } from 'react';
import { loadMessages, messagesOf, useMessages } from '../../../../shared/i18n/messages.js';
import { toast } from '../../../../shared/ui/toast.js';
import type { TryPanelType } from './try-panel.js';

/** How far below the screen the section may be when its code is loaded. */
const NEAR = '200px';

/**
 * One sentence without an account. Only the text field is part of the page: everything else is loaded when the section comes near or the field
 * is focused, and keeps the field and what was typed into it.
 */
export function Try() {
  const t = useMessages('home');
  const section = useRef<HTMLElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const [Panel, setPanel] = useState<TryPanelType | null>(null);
  const load = async (): Promise<void> => {
    const [{ TryPanel }] = await Promise.all([import('./try-panel.js'), loadMessages('try')]);
    setPanel(() => TryPanel);
  };
  useEffect(() => {
    const observer = new IntersectionObserver(
      // Focusing the field loads again what failed here.
      ([entry]) => entry?.isIntersecting && void load().catch(() => undefined),
      { rootMargin: NEAR },
    );
    if (section.current) observer.observe(section.current);
    return () => observer.disconnect();
  }, []);
  return (
    <section className="home-section home-try" ref={section}>
      <div className="page-width">
        <div className="home-section-head">
          <h2>{t('tryTitle')}</h2>
          <p>{t('tryLead')}</p>
        </div>
        <div className="home-try-box">
          <textarea
            ref={field}
            rows={2}
            aria-label={t('tryField')}
            placeholder={t('tryField')}
            onFocus={() => void load().catch(() => toast.error(messagesOf('shared')('network')))}
          />
          {Panel && <Panel field={field} />}
        </div>
      </div>
    </section>
  );
}
