import { useList } from '@refinedev/core';
import type { Response } from '@yiqiao/contracts/endpoint';
import type { listChildUsers } from '@yiqiao/contracts/sub-accounts';
import type { listTranslationLogs } from '@yiqiao/contracts/translation';
import { INVITE_REWARD_CHARS } from '@yiqiao/domain/limits';
import { TRIAL_GROUP_ID } from '@yiqiao/domain/plans';
import { useState } from 'react';
import { Link } from 'react-router';
import { grouped } from '../../../shared/amounts.js';
import type { User } from '../../../shared/auth/user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import { COUNTED_CHILDREN } from './overview.js';
import './first-steps.css';

const YEAR_S = 365 * 24 * 60 * 60;

/** Which member of this browser wants the list no more. Storage keys are fixed by decisions §2, so it is a cookie. */
const isHiddenFor = (userId: number): boolean => document.cookie.split('; ').includes(`steps=${userId}`);
const hideFor = (userId: number): void => {
  document.cookie = `steps=${userId}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax`;
};

type RowsOf<E extends typeof listChildUsers | typeof listTranslationLogs> = Response<E>['rows'][number];

/** Whether there is a row; undefined until it is known, and where it cannot be read. */
const useHasAny = (
  resource: 'childUsers' | 'translationLogs',
  { enabled = true, pageSize = 1 },
): boolean | undefined => {
  const { query } = useList<RowsOf<typeof listChildUsers> | RowsOf<typeof listTranslationLogs>>({
    resource,
    pagination: { currentPage: 1, pageSize },
    liveMode: 'off',
    errorNotification: false,
    queryOptions: { enabled },
  });
  return query.data && query.data.total > 0;
};

type Step = { title: string; note: string; done: boolean | undefined; to?: string };

/** What a new main account does first, read from what the account has done. Gone when everything is, or when it is not wanted. */
export function FirstSteps({ user }: { user: User }) {
  const [hidden, setHidden] = useState(() => isHiddenFor(user.userId));
  return hidden ? null : (
    <Steps
      user={user}
      onHide={() => {
        hideFor(user.userId);
        setHidden(true);
      }}
    />
  );
}

function Steps({ user, onHide }: { user: User; onHide: () => void }) {
  const t = useMessages('overview');
  const { memberAccount, memberGroupId, inviteCount, account, createChildUser } = user;
  const hasPaid = memberGroupId !== TRIAL_GROUP_ID || memberAccount.rechargeAmountTotal > 0 || inviteCount > 0;
  const hasUsed = memberAccount.usedCharTotal > 0;
  // A word gloss is free and counts no character: the log knows of it.
  const logged = useHasAny('translationLogs', { enabled: !hasUsed });
  const children = useHasAny('childUsers', { pageSize: COUNTED_CHILDREN }); // shares the request of the quick actions
  const steps: Step[] = [
    { title: t('stepMail'), note: account, done: true },
    {
      title: t('stepTranslate'),
      note: t('stepTranslateNote'),
      done: hasUsed || logged,
      to: '/UserCenterChangeTranslateTest',
    },
    {
      title: t('stepRecharge'),
      note: t('stepRechargeNote', { n: grouped(INVITE_REWARD_CHARS) }),
      done: hasPaid,
      to: '/UserCenterRecharge',
    },
    {
      title: t('stepChild'),
      note: t(createChildUser ? 'stepChildNote' : 'stepChildLocked'),
      done: children,
      to: '/UserCenterChild',
    },
  ];
  // Not shown on a guess: with an unknown step it may be that nothing is left to do.
  if (!steps.some(({ done }) => done === false)) return null;
  const count = steps.filter(({ done }) => done === true).length;
  return (
    <section className="card fs-card" aria-labelledby="first-steps">
      <div className="card-head">
        <h2 id="first-steps">{t('steps')}</h2>
        <small className="numeric">{t('stepsDone', { done: count, all: steps.length })}</small>
        <button type="button" className="fs-hide" onClick={onHide}>
          {t('stepsHide')}
        </button>
      </div>
      <ol className="fs-list">
        {steps.map(({ title, note, done, to }, at) => (
          <li key={title} className={done === true ? 'fs-done' : ''}>
            <i aria-hidden="true">{done === true ? <Icon name="check" /> : at + 1}</i>
            <div>
              {to !== undefined && done !== true ? <Link to={to}>{title}</Link> : <b>{title}</b>}
              {done === true && <span className="visually-hidden">{t('stepIsDone')}</span>}
              <p>{note}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
