import { useTexts } from '../../shared/i18n/texts.js';

/** A bridge with more spans the higher the tier; the AI tiers have a mark of their own. */
const MARKS = {
  standard: 'M2 12C2 4 22 4 22 12',
  professional: 'M1 12C1 5 11 5 11 12M13 12C13 5 23 5 23 12',
  high: 'M0 12C0 6 7 6 7 12M8.500 12C8.500 6 15.500 6 15.500 12M17 12C17 6 24 6 24 12',
  ai: 'M12 1v10M7 6h10M8.500 2.500l7 7M15.500 2.500l-7 7',
  gpt: 'M4 1h16v8h-9l-4 3v-3H4z',
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
        <path d="M0 13h24" />
      </svg>
      {t(`tier_${tier}`)}
    </span>
  );
}
