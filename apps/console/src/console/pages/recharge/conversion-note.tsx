import { useMember } from '../../../shared/auth/user.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { channelNameOf } from '../../../shared/ledger/channel-name.js';
import { Icon } from '../../../shared/ui/icon.js';
import { conversionOf } from './arrival.js';
import type { Plan } from './plan.js';

/** What buying changes beside adding: said before it is paid (decisions §4). Nothing to say: nothing shown. */
export function ConversionNote({ plan }: { plan: Plan }) {
  const t = useTexts('recharge');
  const user = useMember();
  const { mode, channelId } = conversionOf(plan, {
    billingMode: user.memberGroup.translationBillingMode,
    tranChannelId: user.tranChannelId,
  });
  const losesSubAccounts = user.createChildUser && !plan.createChildUser;
  if (mode === null && channelId === null && !losesSubAccounts) return null;
  return (
    <div className="note w rc-note" role="status">
      <Icon name="alert" />
      <div>
        {mode !== null && <p>{t(mode)}</p>}
        {channelId !== null && <p>{t('toChannel', { name: channelNameOf(channelId) ?? String(channelId) })}</p>}
        {losesSubAccounts && <p>{t('noSubAccounts')}</p>}
      </div>
    </div>
  );
}
