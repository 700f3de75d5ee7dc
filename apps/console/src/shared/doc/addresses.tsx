import { use } from 'react';
import { copyText } from '../clipboard.js';
import { useMessages } from '../i18n/messages.js';
import { SiteDataContext } from '../site/site-data.js';
import { Icon } from '../ui/icon.js';
import { addressesOf } from './address-list.js';

/** Name, address, and a button that copies it. */
export function Addresses({ names }: { names: readonly [string, string] }) {
  const t = useMessages('doc');
  const { origin } = use(SiteDataContext);
  const addresses = addressesOf(origin ?? location.origin);
  return (
    <dl className="kv">
      {names.map((name, index) => {
        const address = addresses[index] ?? '';
        return (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{address}</code>
            </dd>
            <dd>
              <button
                type="button"
                className="btn btn-t btn-sm"
                aria-label={t('copyNamed', { name })}
                onClick={(event) => void copyText(address, event.currentTarget)}
              >
                <Icon name="copy" />
                {t('copy')}
              </button>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
