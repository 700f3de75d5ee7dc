import { DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useMessages } from '../../../shared/i18n/messages.js';
import { lastDays } from '../wire-time.js';
import { yesterday, type Range } from './log-query.js';

const WIRE = 'YYYY-MM-DD HH:mm:ss';
const PRESETS = [
  ['today', () => lastDays(1)],
  ['yesterday', () => yesterday()],
  ['last3', () => lastDays(3)],
  ['last7', () => lastDays(7)],
  ['last10', () => lastDays(10)],
  ['last30', () => lastDays(30)],
] as const;

// The picker works on wire times as written, independent of the browser's time zone.
const daysOf = ({ begin, end }: NonNullable<Range>): [Dayjs, Dayjs] => [dayjs(begin), dayjs(end)];

type RangePickerProps = {
  id?: string;
  value: Range;
  onChange: (range: Range) => void;
  /** Opens and takes the focus when it mounts. */
  opened: boolean;
};

/** antd's calendar of two moments, on the wire's times. */
export function RangePicker({ id, value, onChange, opened }: RangePickerProps) {
  const t = useMessages('logs');
  return (
    <DatePicker.RangePicker
      {...(id === undefined ? {} : { id })}
      className="lg-range-picker"
      autoFocus={opened}
      defaultOpen={opened}
      value={value && daysOf(value)}
      onChange={(days) => {
        const [begin, end] = days ?? [];
        onChange(begin && end ? { begin: begin.format(WIRE), end: end.format(WIRE) } : null);
      }}
      showTime={{ defaultValue: [dayjs('2000-01-01 00:00:00'), dayjs('2000-01-01 23:59:59')] }}
      format={WIRE}
      placeholder={[t('rangeBegin'), t('rangeEnd')]}
      presets={PRESETS.map(([label, range]) => ({ label: t(label), value: () => daysOf(range()) }))}
      classNames={{ popup: { root: 'lg-range-popup' } }}
    />
  );
}
