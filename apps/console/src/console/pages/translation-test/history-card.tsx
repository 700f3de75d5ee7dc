import { useMessages } from '../../../shared/i18n/messages.js';
import { Card } from '../../../shared/ui/card.js';
import { Icon } from '../../../shared/ui/icon.js';
import { wireNow } from '../../shared/wire-time.js';
import { AUTO } from './abilities.js';
import type { HistoryEntry } from './history.js';

type HistoryProps = {
  entries: readonly HistoryEntry[];
  channelName: (id: number) => string;
  onUse: (request: HistoryEntry['request']) => void;
};

/** The language of a recording or a picture may be unknown. */
const langOf = (source: string | undefined): string | undefined => (source === AUTO ? undefined : source);

/** The translations of this visit, kept in memory only. */
export function History({ entries, channelName, onUse }: HistoryProps) {
  const t = useMessages('translation-test');
  if (entries.length === 0) return null;
  return (
    <Card title={t('history')} note={t('historyNote')} className="tt-history">
      <ul>
        {entries.map(({ at, kind, request, results }) => (
          <li key={at.getTime()}>
            {/* on the clock of the logs */}
            <time className="numeric faint">{wireNow(at).slice(11, 16)}</time>
            <button
              type="button"
              title={t('historyUse')}
              onClick={() => onUse(request)}
              lang={langOf(results[0]?.answer.source)}
            >
              {kind !== 'text' && (
                <>
                  <Icon name={kind === 'voice' ? 'mic' : 'image'} />
                  <span className="visually-hidden">{t(kind)} </span>
                </>
              )}
              {request.text}
            </button>
            <Icon name="forward" />
            <ul>
              {results.map(({ channelId, answer }) => (
                <li key={channelId}>
                  <em lang={answer.target} dir="auto">
                    {answer.translated}
                  </em>
                  {answer.quality === 'gloss' ? (
                    <span className="badge decrease">{t('glossShort')}</span>
                  ) : (
                    <span className="badge">{channelName(answer.channelId)}</span>
                  )}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Card>
  );
}
