import { lazy, Suspense, useId, useRef, useState, type RefObject } from 'react';
import { useSignedIn, useUser } from '../../../shared/auth/stored-user.js';
import { rememberReturnPath } from '../../../shared/auth/return-path.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped, yuan } from '../../../shared/amounts.js';
import { channelNameOf } from '../../../shared/channel-name.js';
import { creditedText, planDays, planSize, referenceText } from '../../../shared/payment/plan-text.js';
import { Empty } from '../../../shared/ui/empty.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import { Icon } from '../../../shared/ui/icon.js';
import { useInvited } from '../../shared/invite.js';
import { Calculator } from './calculator.js';
import { Comparison, Questions, useTrialText } from './guide.js';
import { isTimed, planName, unitPrice, usePlans, usePrices, worthsOf, type Plan } from './plan.js';
import './price.css';
import './guide.css';

const OwnPreview = lazy(async () => ({ default: (await import('./own-preview.js')).OwnPreview }));

const WIDTH = 360;
const SPANS = [8, 98, 188, 278];
const POSTS = Array.from({ length: 30 }, (_, post) => 6 + 12 * post);

/** Height of the deck at `x`: a flat parabola from 20 over 12 to 20. */
const deckAt = (x: number): number => 12 + 8 * (1 - (2 * x) / WIDTH) ** 2;

/** The bridge above the summary: deck, railing, four arches. */
function Arches() {
  return (
    <span className="price-arches" aria-hidden="true">
      <svg viewBox={`0 0 ${WIDTH} 64`} preserveAspectRatio="none" fill="none" stroke="currentColor" strokeWidth="1.25">
        <path d="M0 20Q180 4 360 20" />
        {SPANS.map((x) => (
          <path key={x} d={`M${x} 64C${x} 22 ${x + 74} 22 ${x + 74} 64`} />
        ))}
        {POSTS.map((x) => (
          <path key={x} d={`M${x} ${deckAt(x).toFixed(1)}v-7`} opacity=".45" />
        ))}
      </svg>
    </span>
  );
}

/** Members go to the recharge page with this package selected; visitors register or log in first. */
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
        className="button button-primary button-large button-block"
        href={signedIn ? recharge : invited('/login?type=2')}
        onClick={() => !signedIn && rememberReturnPath(recharge)}
      >
        {t(signedIn ? 'selectMember' : 'select')}
      </a>
      <p className="price-note">{t(isSub ? 'selectNoteSub' : signedIn ? 'selectNoteMember' : 'selectNote')}</p>
    </>
  );
}

/** The same value through every channel: more expensive ones give fewer characters or days (decisions §4). */
function Worths({ plan }: { plan: Plan }) {
  const t = useMessages('price');
  const id = useId();
  const worths = worthsOf(plan, usePrices());
  if (worths.length === 0) return null;
  return (
    <div className="price-worth">
      <p id={id}>{t('worth')}</p>
      <dl aria-labelledby={id}>
        {worths.map(({ channelIds, num }) => (
          <div key={channelIds[0]}>
            <dt>{channelIds.map((channel) => channelNameOf(channel) ?? channel).join(t('and'))}</dt>
            <dd className="numeric">{creditedText(plan.translationBillingMode, num)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The selected package, and the page's only button (DESIGN §3). */
function Summary({ plan, ref }: { plan: Plan; ref: RefObject<HTMLElement | null> }) {
  const t = useMessages('price');
  const timed = isTimed(plan);
  const user = useUser();
  const isMainAccount = useSignedIn() && user?.parentUserId === null;
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
    <aside className="price-summary" aria-label={t('chosen')} ref={ref} tabIndex={-1}>
      <Arches />
      <div>
        <div aria-live="polite">
          <p className="price-selected">{t('chosen')}</p>
          <h2 className="dynamic-text">
            {t('planLine', { name: planName(plan), mode: t(timed ? 'modeTime' : 'modeChar') })}
          </h2>
          <p className="price-total numeric">
            <small>¥</small>
            {yuan(plan.salePrice)}
          </p>
          <p className="muted numeric">
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
        {isMainAccount && (
          <Suspense>
            <OwnPreview key={plan.id} planId={plan.id} />
          </Suspense>
        )}
        <Select plan={plan} />
      </div>
    </aside>
  );
}

const GROUPS = [
  { timed: false, title: 'charTitle', note: 'charNote' },
  { timed: true, title: 'timeTitle', note: 'timeNote' },
] as const;

type RowProps = { plan: Plan; chosen: boolean; onChoose: () => void };

function Row({ plan, chosen, onChoose }: RowProps) {
  const t = useMessages('price');
  const timed = isTimed(plan);
  const reference = referenceText(plan.referenceChannelId);
  return (
    <label className="price-row">
      <input type="radio" name="plan" value={plan.id} checked={chosen} onChange={onChoose} />
      <span className="radio-dot" aria-hidden="true" />
      <b>{planName(plan)}</b>
      <span className="numeric">
        {timed ? t('noLimit') : planSize('char', plan.num)}
        {timed ? (
          <small className="price-narrow">
            {planDays(plan.num)} {reference}
          </small>
        ) : (
          <small>{reference}</small>
        )}
      </span>
      <span className="numeric">
        {timed ? planDays(plan.num) : t('unitPrice', { yuan: unitPrice(plan) })}
        {timed && <small>{reference}</small>}
      </span>
      <span>{t(plan.createChildUser ? 'subAccounts' : 'noSubAccounts')}</span>
      <span className="price-amount numeric">
        <small>¥</small>
        {yuan(plan.salePrice)}
      </span>
    </label>
  );
}

type RateTableProps = { plans: readonly Plan[]; chosen: Plan | null; onChoose: (plan: Plan) => void };

/** A rate table: one selectable row per package (DESIGN §3). */
function RateTable({ plans, chosen, onChoose }: RateTableProps) {
  const t = useMessages('price');
  const id = useId();
  return (
    <div role="radiogroup" aria-label={t('plans')}>
      {GROUPS.map(({ timed, title, note }) => {
        const group = plans.filter((plan) => isTimed(plan) === timed);
        if (group.length === 0) return null;
        return (
          <section key={title} aria-labelledby={`${id}-${title}`}>
            <h2 id={`${id}-${title}`}>
              {t(title)} <small>{t(note)}</small>
            </h2>
            {group.map((plan) => (
              <Row key={plan.id} plan={plan} chosen={plan.id === chosen?.id} onChoose={() => onChoose(plan)} />
            ))}
          </section>
        );
      })}
    </div>
  );
}

/** Skeleton rows of the final height. */
function RateSkeleton() {
  const t = useMessages('shared');
  return (
    <div role="status">
      <span className="visually-hidden">{t('loading')}</span>
      <i className="skeleton price-skeleton-head" aria-hidden="true" />
      {Array.from({ length: 8 }, (_, row) => (
        <div key={row} className="price-skeleton" aria-hidden="true">
          <i className="skeleton" />
          <i className="skeleton" />
          <i className="skeleton" />
        </div>
      ))}
    </div>
  );
}

const FACTS = ['validity', 'trial', 'payment', 'currency'] as const;

function Banner() {
  const t = useMessages('price');
  const trial = useTrialText();
  return (
    <div className="price-banner">
      <div className="page-width">
        <h1>{t('title')}</h1>
        <dl>
          {FACTS.map((fact) => (
            <div key={fact}>
              <dt>{t(fact)}</dt>
              <dd>{fact === 'trial' ? trial : t(`fact_${fact}`)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  );
}

/** The second tier, as on the recharge page, or else the first package. */
const firstOf = (plans: readonly Plan[]): Plan | null =>
  plans.find((plan) => plan.tier === 'professional' && !isTimed(plan)) ?? plans[0] ?? null;

function OnSale({ plans }: { plans: readonly Plan[] }) {
  const t = useMessages('price');
  const [picked, setPicked] = useState<Plan | null>(null);
  const prices = usePrices();
  const summary = useRef<HTMLElement>(null);
  const chosen = picked ?? firstOf(plans);
  if (chosen === null)
    return (
      <Empty
        title={t('empty')}
        action={
          <a className="button button-primary" href="/contactUs">
            {t('contact')}
          </a>
        }
      >
        {t('emptyWhy')}
      </Empty>
    );
  return (
    <>
      <div className="price-list">
        <RateTable plans={plans} chosen={chosen} onChoose={setPicked} />
        <Summary plan={chosen} ref={summary} />
      </div>
      <Calculator
        plans={plans}
        prices={prices}
        onChoose={(plan) => {
          setPicked(plan);
          summary.current?.focus();
        }}
      />
      <Comparison plans={plans} />
    </>
  );
}

/** /price (specification §2), public. */
export default function PricePage() {
  const t = useMessages('price');
  const { loaded, reload } = usePlans();
  return (
    <>
      <Banner />
      <div className="page-width price-body">
        {loaded.state === 'loading' && (
          <div className="price-list">
            <RateSkeleton />
            <i className="skeleton price-skeleton-summary" aria-hidden="true" />
          </div>
        )}
        {loaded.state === 'failed' && (
          <ErrorState title={t('loadFailed')} onReload={reload}>
            {loaded.why}
          </ErrorState>
        )}
        {loaded.state === 'ready' && <OnSale plans={loaded.value} />}
        <Questions />
      </div>
    </>
  );
}
