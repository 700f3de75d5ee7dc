import { language } from '../../shared/i18n/language.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { grouped } from '../../shared/ledger/amount-text.js';
import { Card } from '../../shared/ui/console/card.js';
import { Icon } from '../../shared/ui/icon.js';
import type { Channel } from './use-catalogue.js';

// Micro-yuan per character are yuan per million characters.
/** The channels with the reason of each that is not connected, and how to connect one. */
export function VendorPanel({ channels, own }: { channels: readonly Channel[]; own: number }) {
  const t = useTexts('translation-test');
  return (
    <Card title={t('vendors')} note={t('vendorsNote')} className="tt-vendors">
      <div id="channels" className="tt-vendor-cols" tabIndex={-1}>
        <div>
          <ol>
            <li>{t('step1')}</li>
            <li>{t('step2')}</li>
            <li>{t('step3')}</li>
          </ol>
          <p className="faint">{t('stepNote')}</p>
        </div>
        <ul>
          {channels.map((channel) => (
            <li key={channel.id}>
              <b>{language === 'zh' ? channel.name : channel.enName}</b>
              <span className={channel.available ? 'tag add' : 'tag'}>
                <Icon name={channel.available ? 'check' : 'key'} />
                {t(channel.available ? 'available' : 'unavailable')}
              </span>
              <small>
                {[
                  channel.id === own ? t('yours') : null,
                  channel.reason?.replace(/[.。]$/, '') ?? null, // one of several facts in a line, not a sentence
                  t('perMillion', { yuan: grouped(channel.price) }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}
