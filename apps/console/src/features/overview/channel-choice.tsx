import { Radio } from 'antd';
import { useMember, type User } from '../../shared/auth/user.js';
import { language } from '../../shared/i18n/language.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { grouped } from '../../shared/ledger/amount-text.js';
import { BeforeAfter } from '../../shared/ui/console/before-after.js';
import { Icon } from '../../shared/ui/icon.js';
import { billingModeOf } from './billing-mode.js';
import { ChannelChildren } from './channel-children.js';
import { priceText, type ChannelPreview } from './channel-preview.js';

/** What the change makes of the own account: the characters, or in time mode the expiry. */
function Outcome({ user, preview }: { user: User; preview: ChannelPreview }) {
  const t = useTexts('overview');
  const { usableCharNum, expireDateTime } = user.memberAccount;
  if (billingModeOf(user) === 'time')
    return (
      <BeforeAfter
        before={expireDateTime?.slice(0, 16) ?? t('noExpiry')}
        after={preview.expireDateTime?.slice(0, 16) ?? t('noExpiry')}
      />
    );
  return <BeforeAfter before={grouped(usableCharNum)} after={t('chartChars', { n: grouped(preview.usableCharNum) })} />;
}

type ChannelChoiceProps = {
  offers: readonly ChannelPreview[];
  chosen: number | null;
  onChoose: (id: number) => void;
  disabled: boolean;
};

/** The channels that could be changed to, each with its price and what it makes of the balance. */
export function ChannelChoice({ offers, chosen, onChoose, disabled }: ChannelChoiceProps) {
  const t = useTexts('overview');
  const user = useMember();
  const preview = offers.find(({ id }) => id === chosen);
  return (
    <>
      <p className="note w">
        <Icon name="alert" />
        <span>{t('channelWarning')}</span>
      </p>
      <Radio.Group
        className="ov-channels"
        aria-label={t('channelTitle')}
        value={chosen}
        disabled={disabled}
        onChange={(event) => onChoose(event.target.value as number)}
      >
        {offers.map((offer) => (
          <Radio key={offer.id} value={offer.id}>
            <span className="ov-channel">
              <b>{language === 'zh' ? offer.name : offer.enName}</b>
              <small>{t('channelPrice', { yuan: priceText(offer.price) })}</small>
              <Outcome user={user} preview={offer} />
            </span>
          </Radio>
        ))}
      </Radio.Group>
      {preview && preview.children.length > 0 && <ChannelChildren preview={preview} />}
    </>
  );
}
