import { useTexts } from '../../../shared/i18n/texts.js';

const HEIGHTS = [46, 62, 38, 71, 54, 29, 66, 48];

/** Bars of no meaning while the figures come, in the chart's own room. */
export function UsageSkeleton({ days }: { days: number }) {
  const t = useTexts('shared');
  return (
    <div className="ov-chart-wait" role="status">
      <span className="vh">{t('loading')}</span>
      {Array.from({ length: days }, (_, day) => (
        <i key={day} className="sk" style={{ height: `${HEIGHTS[day % HEIGHTS.length]}%` }} aria-hidden="true" />
      ))}
    </div>
  );
}
