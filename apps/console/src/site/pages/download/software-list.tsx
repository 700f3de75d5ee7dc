import { useState } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Dialog } from '../../../shared/ui/dialog.js';
import { Icon } from '../../../shared/ui/icon.js';
import type { Fetchable, Software } from './downloads.js';

type NameProps = { software: Pick<Software, 'label' | 'version'> };

function Name({ software: { label, version } }: NameProps) {
  const t = useMessages('download');
  return (
    <span className="dl-name">
      <b className="dyn">{label}</b>
      {version !== '' && <small>{t('version', { version })}</small>}
    </span>
  );
}

function FetchLink({ item: { href, label } }: { item: Fetchable }) {
  const t = useMessages('download');
  return (
    <a className="btn btn-d" href={href} rel="noopener noreferrer" aria-label={t('fetchNamed', { label })}>
      <Icon name="download" />
      {t('fetch')}
    </a>
  );
}

type Choosable = Extract<Software, { choices: readonly Fetchable[] }>;

function Choices({ software, onClose }: { software: Choosable; onClose: () => void }) {
  const t = useMessages('download');
  return (
    <Dialog title={t('choose')} onClose={onClose}>
      <div className="dlg-body">
        <p className="dl-what dyn">{software.label}</p>
        <ul className="dl-list">
          {software.choices.map((item) => (
            <li key={item.id}>
              <Name software={item} />
              <FetchLink item={item} />
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

/** What there is; a piece of software that comes in several forms asks which one in a dialog (specification §2). */
export function SoftwareList({ software }: { software: readonly Software[] }) {
  const t = useMessages('download');
  const [open, setOpen] = useState<Choosable | null>(null);
  return (
    <>
      <ul className="dl-list">
        {software.map((item) => (
          <li key={item.id}>
            <Name software={item} />
            {'choices' in item ? (
              <button
                type="button"
                className="btn btn-d"
                aria-haspopup="dialog"
                aria-label={t('chooseNamed', { label: item.label })}
                onClick={() => setOpen(item)}
              >
                {t('choose')}
              </button>
            ) : (
              <FetchLink item={item} />
            )}
          </li>
        ))}
      </ul>
      {open && <Choices software={open} onClose={() => setOpen(null)} />}
    </>
  );
}
