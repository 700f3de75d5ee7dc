import { useMessages } from '../../../shared/i18n/messages.js';
import { FindAccount } from './find-account.js';

/** The time machine before an account is chosen. */
export default function OpenReplayPage() {
  const t = useMessages('replay');
  return (
    <div className="tm">
      <div className="page-header">
        <div>
          <h1>{t('title')}</h1>
          <p className="page-header-note">{t('findLead')}</p>
        </div>
      </div>
      <FindAccount />
    </div>
  );
}
