import { useState } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import { toast } from '../../../shared/ui/toast.js';
import type { Range } from './log-query.js';
import type { RangePicker } from './range-picker.js';

type RangeFieldProps = {
  id?: string;
  /** antd's form hands these two over. */
  value?: Range;
  onChange?: (range: Range) => void;
};

/** The calendar is as large as the rest of the page, so it is loaded on first use. */
let calendar: typeof RangePicker | null = null;
const loadCalendar = async (): Promise<typeof RangePicker> =>
  (calendar ??= (await import('./range-picker.js')).RangePicker);

/** Shows a time range and opens the calendar to change it. */
export function RangeField({ id, value = null, onChange = () => undefined }: RangeFieldProps) {
  const t = useMessages('logs');
  const [wanted, setWanted] = useState<'no' | 'coming' | 'here'>(calendar ? 'here' : 'no');
  const [opened, setOpened] = useState(false);
  if (wanted === 'here' && calendar) {
    const Calendar = calendar;
    return <Calendar {...(id === undefined ? {} : { id })} value={value} onChange={onChange} opened={opened} />;
  }
  const open = (): void => {
    setOpened(true);
    setWanted('coming');
    loadCalendar().then(
      () => setWanted('here'),
      () => {
        setWanted('no');
        toast.error(t('noCalendar'));
      },
    );
  };
  // Preloads on hover and focus; a failure is reported by the click.
  const foresee = (): void => void loadCalendar().catch(() => undefined);
  return (
    <button
      type="button"
      id={id}
      className="lg-range-open"
      aria-haspopup="dialog"
      aria-busy={wanted === 'coming'}
      onPointerEnter={foresee}
      onFocus={foresee}
      onClick={open}
    >
      <span>{value?.begin ?? t('rangeBegin')}</span>
      <Icon name="forward" />
      <span>{value?.end ?? t('rangeEnd')}</span>
      <Icon name="clock" />
    </button>
  );
}
