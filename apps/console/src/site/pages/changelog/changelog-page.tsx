import { useMessages } from '../../../shared/i18n/messages.js';
import { nonBreaking } from '../../shared/non-breaking.js';
import { theEntries } from './entries.js';
import './changelog.css';

/** /changelog: what has changed for members, by date. */
export default function ChangelogPage() {
  const t = useMessages('changelog');
  return (
    <div className="page-width changelog">
      <h1>{t('title')}</h1>
      <p className="muted">{t('lead')}</p>
      <ol aria-label={t('contents')}>
        {theEntries().map(({ date, changes }) => (
          <li key={date}>
            <h2 className="numeric">
              <time dateTime={date}>{date}</time>
            </h2>
            <ul>
              {changes.map((change) => (
                <li key={change}>{nonBreaking(change)}</li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </div>
  );
}
