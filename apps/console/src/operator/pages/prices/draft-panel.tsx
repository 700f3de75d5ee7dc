import { Button, DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { Icon } from '../../../shared/ui/icon.js';
import { Card } from '../../../shared/ui/card.js';
import { BeforeAfter } from './before-after.js';
import { type Change, isReplayed, type Prices } from './draft.js';
import { usePriceWords } from './price-words.js';

export type Range = [from: Dayjs, to: Dayjs];

/** The last thirty whole days. */
export const lastDays = (): Range => [dayjs().subtract(30, 'day').startOf('day'), dayjs().subtract(1, 'day')];

type DraftPanelProps = {
  prices: Prices;
  changes: readonly Change[];
  range: Range;
  onRange: (range: Range) => void;
  onUndo: (change: Change) => void;
  /** Absent: not offered. */
  onReplay: (() => void) | undefined;
  isStarting: boolean;
};

/** What has been changed and is not published, and the time to try it on. */
export function DraftPanel(props: DraftPanelProps) {
  const { prices, changes, range, onRange, onUndo, onReplay, isStarting } = props;
  const words = usePriceWords(prices);
  const { t } = words;
  const days = range[1].startOf('day').diff(range[0].startOf('day'), 'day') + 1;
  return (
    <Card
      className="price-draft"
      title={changes.length === 0 ? t('noChanges') : t('changes', { n: changes.length })}
      note={
        <span className="price-range">
          <span>{t('with')}</span>
          <DatePicker.RangePicker
            size="small"
            allowClear={false}
            separator="–"
            aria-label={t('range')}
            value={range}
            disabledDate={(day) => day.isAfter(dayjs().endOf('day'))}
            onChange={(value) => value?.[0] && value[1] && onRange([value[0], value[1]])}
          />
          <span className="numeric">{t('rangeDays', { n: days })}</span>
          <Button
            size="small"
            disabled={!onReplay}
            loading={isStarting}
            icon={<Icon name="history" />}
            onClick={onReplay}
          >
            {t('replay')}
          </Button>
        </span>
      }
    >
      {changes.length === 0 ? (
        <p className="muted price-none">{t('noChangesWhy')}</p>
      ) : (
        <ul className="price-changes">
          {changes.map((change) => (
            <li key={`${change.subject.target} ${change.field}`} className="edited">
              <span>
                <span className="badge hand">
                  <Icon name="stamp" />
                </span>
                {words.what(change)}
                {!isReplayed(change) && <span className="faint"> {t('notReplayed')}</span>}
              </span>
              <BeforeAfter change={change} words={words} />
              <button
                type="button"
                className="link link-button"
                aria-label={`${t('undo')} ${words.what(change)}`}
                onClick={() => onUndo(change)}
              >
                {t('undo')}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
