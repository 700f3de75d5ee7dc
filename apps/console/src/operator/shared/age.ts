import { useMessages } from '../../shared/i18n/messages.js';

const UNITS = [
  { key: 'ageDays', seconds: 86_400 },
  { key: 'ageHours', seconds: 3_600 },
  { key: 'ageMinutes', seconds: 60 },
  { key: 'ageSeconds', seconds: 1 },
] as const;

/** A time span in its largest unit, as people say it. */
export function useAge(): (seconds: number) => string {
  const t = useMessages('operator');
  return (seconds) => {
    const unit = UNITS.find((each) => seconds >= each.seconds) ?? UNITS[UNITS.length - 1]!;
    return t(unit.key, { n: Math.floor(seconds / unit.seconds) });
  };
}
