import { useId } from 'react';
import { useSignedIn, useUser } from '../../../shared/auth/stored-user.js';
import { rememberWayBack } from '../../../shared/auth/way-back.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useInvited } from '../../shared/invite.js';
import { channelNameOf } from '../../../shared/ledger/channel-name.js';
import { grouped, yuan } from '../../../shared/ledger/amount-text.js';
import { creditedText, planSize, referenceText } from '../../../shared/payment/plan-text.js';
import { Icon } from '../../../shared/ui/icon.js';
import { Arches } from './arches.js';
import { isTimed, planName, type Plan } from './plan.js';
import { usePrices } from './use-plans.js';
import { worthsOf } from './worth.js';

/** Members go on to recharge with this package chosen; visitors register or log in first and come there then. */
function Select({ plan }: { plan: Plan }) {
  const t = useMessages('price');
  const signedIn = useSignedIn();
  const user = useUser();
  const invited = useInvited();
  const recharge = `/UserCenterRecharge?memberGroupId=${plan.id}`;
  const isSub = signedIn && user !== null && user.parentUserId !== null;
  return (
    <>
      <a
        className="btn btn-p btn-lg btn-block"
        href={signedIn ? recharge : invited('/login?type=2')}
        onClick={() => !signedIn && rememberWayBack(recharge)}
      >
        {t(signedIn ? 'selectMember' : 'select')}
      </a>
      <p className="pr-note">{t(isSub ? 'selectNoteSub' : signedIn ? 'selectNoteMember' : 'selectNote')}</p>
    </>
  );
}

/** The same value through every channel: dearer ones give fewer characters, or days (decisions §4). */
function Worths({ plan }: { plan: Plan }) {
  const t = useMessages('price');
  const id = useId();
  const worths = worthsOf(plan, usePrices());
  if (worths.length === 0) return null;
  return (
    <div className="pr-worth">
      <p id={id}>{t('worth')}</p>
      <dl aria-labelledby={id}>
        {worths.map(({ channelIds, num }) => (
          <div key={channelIds[0]}>
            <dt>{channelIds.map((channel) => channelNameOf(channel) ?? channel).join(t('and'))}</dt>
            <dd className="num">{creditedText(plan.translationBillingMode, num)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The chosen package, and the one button of the page (DESIGN §3). */
export function Summary({ plan }: { plan: Plan }) {
  const t = useMessages('price');
  const timed = isTimed(plan);
  const size = planSize(plan.translationBillingMode, plan.num);
  const points = [
    t('point1'),
    t('point2'),
    ...(plan.voiceNum + plan.imageNum > 0
      ? [t('pointGifts', { voice: grouped(plan.voiceNum), image: grouped(plan.imageNum) })]
      : []),
    ...(plan.createChildUser ? [t('pointSubAccounts')] : []),
    t('pointService'),
  ];
  return (
    <aside className="pr-sum" aria-label={t('chosen')}>
      <Arches />
      <div>
        <div aria-live="polite">
          <p className="pr-chosen">{t('chosen')}</p>
          <h2 className="dyn">{t('planLine', { name: planName(plan), mode: t(timed ? 'modeTime' : 'modeChar') })}</h2>
          <p className="pr-big num">
            <small>¥</small>
            {yuan(plan.salePrice)}
          </p>
          <p className="muted num">
            {t(timed ? 'noLimitFor' : 'charsFor30Days', { size })}
            <small>{referenceText(plan.referenceChannelId)}</small>
          </p>
        </div>
        <ul>
          {points.map((point) => (
            <li key={point}>
              <Icon name="check" />
              {point}
            </li>
          ))}
        </ul>
        <Worths plan={plan} />
        <Select plan={plan} />
      </div>
    </aside>
  );
}
