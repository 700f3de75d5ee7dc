import './download.css';
import { nonBreaking } from '../../shared/non-breaking.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Empty } from '../../../shared/ui/empty.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import { Icon } from '../../../shared/ui/icon.js';
import { SoftwareList } from './software-list.js';
import { useDownloads } from './use-downloads.js';

function Skeleton() {
  const t = useMessages('shared');
  return (
    <ul className="dl-list" aria-busy="true" aria-label={t('loading')}>
      {[1, 2, 3].map((row) => (
        <li key={row} aria-hidden="true">
          <span className="sk" />
        </li>
      ))}
    </ul>
  );
}

/** /download (specification §2): what operators offer in SOFT_DOWNLOAD_CONFIG. */
export default function DownloadPage() {
  const t = useMessages('download');
  const { loaded, reload } = useDownloads();
  return (
    <div className="wrap dl">
      <header>
        <h1>{t('title')}</h1>
        <p>{nonBreaking(t('lead'))}</p>
        <a className="dl-how" href="/productDesc/xzaz">
          {t('howTo')}
          <Icon name="forward" />
        </a>
      </header>
      <div className="dl-body">
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
              <a className="btn btn-p" href="/contactUs">
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
