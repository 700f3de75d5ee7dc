import type { getDataConfig } from '@yiqiao/contracts/site';
import { use, useState } from 'react';
import { ApiError } from '../../../shared/api/api-error.js';
import { callRoute } from '../../../shared/api/call.js';
import { useLoaded, type Loaded } from '../../shared/use-loaded.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { SiteDataContext } from '../../../shared/site/site-data.js';
import { Dialog } from '../../../shared/ui/dialog.js';
import { Empty } from '../../../shared/ui/empty.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import { Icon } from '../../../shared/ui/icon.js';
import { nonBreaking } from '../../shared/non-breaking.js';
import { useHydrated } from '../../shared/use-hydrated.js';
import { softwareIn, sortedFor, systemIn, type Fetchable, type Software } from './downloads.js';
import './download.css';

const MEGABYTE = 1_000_000;

/** `mine`: for the system of this visitor. */
type NameProps = { software: Software | Fetchable; mine?: boolean };

/** Name, and what is known of it: version and size, requirements, news, checksum. */
function Name({ software, mine = false }: NameProps) {
  const t = useMessages('download');
  const { label, version, size, sha256, requires, notes } = software;
  const facts = [
    version !== '' && t('version', { version }),
    size !== undefined && t('size', { mb: (size / MEGABYTE).toFixed(1) }),
    requires,
  ].filter((fact) => fact !== false && fact !== undefined);
  return (
    <span className="download-name">
      <b className="dynamic-text">
        {label}
        {mine && <span className="badge transfer">{t('yourSystem')}</span>}
      </b>
      {facts.length > 0 && <small>{facts.join(' · ')}</small>}
      {notes && <small>{t('news', { notes })}</small>}
      {sha256 && (
        <small>
          {t('checksum')} <code>{sha256}</code>
        </small>
      )}
    </span>
  );
}

function FetchLink({ item: { href, label } }: { item: Fetchable }) {
  const t = useMessages('download');
  return (
    <a className="button button-default" href={href} rel="noopener noreferrer" aria-label={t('fetchNamed', { label })}>
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
      <div className="dialog-body">
        <p className="download-description dynamic-text">{software.label}</p>
        <ul className="download-list">
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

/** The list of downloads; software with several variants asks for one in a dialog (specification §2). */
function SoftwareList({ software }: { software: readonly Software[] }) {
  const t = useMessages('download');
  const system = useHydrated() ? systemIn(navigator.userAgent) : null;
  const [open, setOpen] = useState<Choosable | null>(null);
  return (
    <>
      <ul className="download-list">
        {sortedFor(system, software).map((item) => (
          <li key={item.id}>
            <Name software={item} mine={system !== null && systemIn(item.label) === system} />
            {'choices' in item ? (
              <button
                type="button"
                className="button button-default"
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

// Only method and path: importing the endpoint would add every contract's schema to the bundle.
const READ = { method: 'GET', path: '/dataCus/get' } as const satisfies Pick<typeof getDataConfig, 'method' | 'path'>;

const NOT_FOUND = 404;

/** An unset key means no downloads. */
async function softwareOnOffer(signal: AbortSignal): Promise<readonly Software[]> {
  try {
    const { valued } = await callRoute<typeof getDataConfig>(READ, { id: 'SOFT_DOWNLOAD_CONFIG' }, { signal });
    return softwareIn(valued, language);
  } catch (error) {
    if (error instanceof ApiError && error.status === NOT_FOUND) return [];
    throw error;
  }
}

/** The downloads on offer. */
function useDownloads(): { loaded: Loaded<readonly Software[]>; reload: () => void } {
  const { downloads } = use(SiteDataContext);
  return useLoaded(softwareOnOffer, downloads === undefined ? undefined : softwareIn(downloads, language));
}

function Skeleton() {
  const t = useMessages('shared');
  return (
    <ul className="download-list" aria-busy="true" aria-label={t('loading')}>
      {[1, 2, 3].map((row) => (
        <li key={row} aria-hidden="true">
          <span className="skeleton" />
        </li>
      ))}
    </ul>
  );
}

/** /download (specification §2): the downloads in SOFT_DOWNLOAD_CONFIG. */
export default function DownloadPage() {
  const t = useMessages('download');
  const { loaded, reload } = useDownloads();
  return (
    <div className="page-width download">
      <header>
        <h1>{t('title')}</h1>
        <p>{nonBreaking(t('lead'))}</p>
        <a className="download-variants" href="/productDesc/xzaz">
          {t('howTo')}
          <Icon name="forward" />
        </a>
      </header>
      <div className="download-body">
        {loaded.state === 'loading' && <Skeleton />}
        {loaded.state === 'failed' && (
          <ErrorState title={t('failed')} onReload={reload}>
            {loaded.why}
          </ErrorState>
        )}
        {loaded.state === 'ready' && loaded.value.length > 0 && <SoftwareList software={loaded.value} />}
        {loaded.state === 'ready' && loaded.value.length === 0 && (
          <Empty
            title={t('empty')}
            action={
              <a className="button button-primary" href="/contactUs">
                {t('contact')}
              </a>
            }
          >
            {t('emptyWhy')}
          </Empty>
        )}
      </div>
    </div>
  );
}
