import { useTexts } from '../../../shared/i18n/texts.js';

/** A bridge with more spans the higher the tier; the AI tiers have a mark of their own. */
const MARKS = {
  standard: 'M2 12C2 4 22 4 22 12M0 13h24',
  professional: 'M1 12C1 5 11 5 11 12M13 12C13 5 23 5 23 12M0 13h24',
  high: 'M0 12C0 6 7 6 7 12M8.5 12C8.5 6 15.5 6 15.5 12M17 12C17 6 24 6 24 12M0 13h24',
  ai: 'M12 .5C12.700 4.700 14.300 6.300 18.500 7 14.300 7.700 12.700 9.300 12 13.500 11.300 9.300 9.700 7.700 5.500 7 9.700 6.300 11.300 4.700 12 .5z',
  gpt: 'M4.500 1h15v9h-8l-3.500 3v-3h-3.500z',
} as const;
type Tier = keyof typeof MARKS;

const isTier = (tier: string): tier is Tier => Object.hasOwn(MARKS, tier);

/** The badge of one of the five tiers (specification §3); a package of any other tier has none. */
export function TierBadge({ tier }: { tier: string }) {
  const t = useTexts('recharge');
  if (!isTier(tier)) return null;
  return (
    <span className="tag rc-tier">
      <svg viewBox="0 0 24 14" fill="none" stroke="currentColor" strokeWidth="1.4" aria-hidden="true">
        <path d={MARKS[tier]} />
      </svg>
      {t(`tier_${tier}`)}
    </span>
  );
}
