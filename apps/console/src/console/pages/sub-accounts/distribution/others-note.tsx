import { useTexts } from '../../../../shared/i18n/texts.js';
import { signed } from '../../../../shared/ledger/amount-text.js';
import { QUANTITY_TEXTS } from './quantity-texts.js';
import { changeOf, overOf, QUANTITIES, type Quantity, type Shares, type Sides } from './shares.js';

type OthersNoteProps = { current: Quantity; shares: Shares; sides: Sides };

/** What is sent along from the tabs that are not on screen: all three go together. */
export function OthersNote({ current, shares, sides }: OthersNoteProps) {
  const t = useTexts('sub-accounts');
  const nameOf = (quantity: Quantity): string => t(QUANTITY_TEXTS[quantity].name);
  const listOf = (quantities: Quantity[]): string => quantities.map(nameOf).join(t('separator'));
  const others = QUANTITIES.filter((quantity) => quantity !== current);
  const over = overOf(shares, sides).filter((quantity) => quantity !== current);
  const changed = others.filter((quantity) => shares[quantity].amount !== 0 && !over.includes(quantity));
  const same = others.filter((quantity) => shares[quantity].amount === 0);
  const said = [
    ...changed.map((quantity) => `${nameOf(quantity)} ${signed(changeOf(shares[quantity]))}`),
    ...(same.length === 0 ? [] : [t('otherUnchanged', { names: listOf(same) })]),
  ];
  return (
    <span className="ds-others faint">
      {over.length > 0 && <span className="sa-out">{t('otherOver', { names: listOf(over) })}</span>}
      {over.length > 0 && said.length > 0 && t('otherAnd')}
      {said.join(t('otherAnd'))}
    </span>
  );
}
