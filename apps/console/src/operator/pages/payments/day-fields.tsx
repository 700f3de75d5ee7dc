import { DatePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { clearable } from '../../../shared/antd/clearable.js';
import { useMessages } from '../../../shared/i18n/messages.js';

export type Days = { from?: string | undefined; to?: string | undefined };

/** From and to, as whole days. */
export function DayFields({ filters, onChange }: { filters: Days; onChange: (days: Days) => void }) {
  const t = useMessages('payments');
  return (['from', 'to'] as const).map((name) => {
    const other = name === 'from' ? filters.to : filters.from;
    const isOut = (day: Dayjs): boolean =>
      other !== undefined && (name === 'from' ? day.isAfter(other, 'day') : day.isBefore(other, 'day'));
    return (
      <label key={name}>
        {t(name)}
        <DatePicker
          allowClear={clearable}
          aria-label={t(name)}
          format="YYYY-MM-DD"
          value={filters[name] === undefined ? null : dayjs(filters[name])}
          disabledDate={isOut}
          onChange={(day) => onChange({ ...filters, [name]: day?.format('YYYY-MM-DD') })}
        />
      </label>
    );
  });
}
