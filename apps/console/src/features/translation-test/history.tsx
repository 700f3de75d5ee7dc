import { useTexts } from '../../shared/i18n/texts.js';
import { Card } from '../../shared/ui/console/card.js';
import { Icon } from '../../shared/ui/icon.js';
import type { Asked } from './translate-one.js';
import type { Done } from './use-translate.js';

type HistoryProps = { history: readonly Done[]; channelName: (id: number) => string; onUse: (asked: Asked) => void };

/** What was translated during this visit; it lives in memory only. */
export function History({ history, channelName, onUse }: HistoryProps) {
  const t = useTexts('translation-test');
  if (history.length === 0) return null;
  return (
    <Card title={t('history')} note={t('historyNote')} className="tt-history">
      <ul>
        {history.map((done) => (
          <li key={done.at.getTime()}>
            <time className="num faint">{done.at.toTimeString().slice(0, 5)}</time>
            <button type="button" title={t('historyUse')} onClick={() => onUse(done.asked)} lang={done.answer.source}>
              {done.asked.text}
            </button>
            <Icon name="forward" />
            <em lang={done.answer.target} dir="auto">
              {done.answer.translated}
            </em>
            {done.answer.quality === 'gloss' ? (
              <span className="tag dec">{t('glossShort')}</span>
            ) : (
              <span className="tag">{channelName(done.answer.channelId)}</span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
