import { forgetTranslations, getSavings } from '@yiqiao/contracts/savings';
import { changeTranslationCache } from '@yiqiao/contracts/user';
import { CACHE_DAYS, USAGE_DAYS } from '@yiqiao/domain/limits';
import { Switch } from 'antd';
import { useId, useState } from 'react';
import { messageOf } from '../../../../shared/api/api-error.js';
import { useEndpoint, useEndpointMutation, useInvalidateEndpoint } from '../../../../shared/refine/use-endpoint.js';
import { isMain, refreshUser, type User } from '../../../../shared/auth/user.js';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { grouped } from '../../../../shared/amounts.js';
import { Card } from '../../../../shared/ui/card.js';
import { ErrorState } from '../../../../shared/ui/error-state.js';
import { ConfirmDialog, LazyMount } from '../lazy-dialogs.js';
import './savings.css';

/** Whether translations are stored and reused, per member. Needs no confirmation: nothing is lost. */
function MemorySwitch({ user }: { user: User }) {
  const t = useMessages('savings');
  const id = useId();
  const on = user.translationCache === 1;
  const { mutate, isPending } = useEndpointMutation(changeTranslationCache, {
    successMessage: (_answer, { translationCache }) => t(translationCache === 1 ? 'turnedOn' : 'turnedOff'),
    // The change holds even if the member cannot be fetched right now.
    onSuccess: () => refreshUser().catch(() => undefined),
  });

  return (
    <div className="ov-memory">
      <label htmlFor={id}>{t('what', { days: CACHE_DAYS })}</label>
      <Switch
        id={id}
        checked={on}
        loading={isPending}
        aria-label={t('title')}
        onChange={() => mutate({ translationCache: on ? 0 : 1 })}
      />
    </div>
  );
}

/** Deletes stored translations: a main account its family's, a sub-account its own. */
function Forget({ user }: { user: User }) {
  const t = useMessages('savings');
  const invalidate = useInvalidateEndpoint();
  const [asking, setAsking] = useState(false);
  const main = isMain(user);

  const { mutate, isPending } = useEndpointMutation(forgetTranslations, {
    successMessage: ({ count }) => t('forgotten', { n: grouped(count) }),
    onSuccess: () => {
      setAsking(false);
      return invalidate(getSavings);
    },
  });

  return (
    <>
      <button type="button" className="link" onClick={() => setAsking(true)}>
        {t(main ? 'forget' : 'forgetOwn')}
      </button>
      <LazyMount open={asking}>
        <ConfirmDialog
          frame={{ open: asking, onClose: () => setAsking(false), afterClose: () => undefined }}
          title={t('forgetTitle')}
          verb={t('forgetVerb')}
          look="danger"
          busy={isPending}
          onConfirm={() => mutate({})}
        >
          <p>{t(main ? 'forgetWhat' : 'forgetOwnWhat')}</p>
        </ConfirmDialog>
      </LazyMount>
    </>
  );
}

type FigureProps = { label: string; value: number | undefined; unit: 'chars' | 'texts' };

function Figure({ label, value, unit }: FigureProps) {
  const t = useMessages('savings');
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {value === undefined ? <i className="skeleton" aria-hidden="true" /> : grouped(value)}
        {value !== undefined && <small>{t(unit, { n: value })}</small>}
      </dd>
    </div>
  );
}

/** Stored translations and what they saved: the whole family's for a main account, its own for a sub-account. */
export function SavingsCard({ user }: { user: User }) {
  const t = useMessages('savings');
  const { data, isError, error, refetch } = useEndpoint(
    getSavings,
    { days: String(USAGE_DAYS) },
    { refetchOnMount: 'always' },
  );
  const used = user.translationCache === 1 || (data !== undefined && (data.texts > 0 || data.kept > 0));
  return (
    <Card className="ov-saved" title={t('title')} note={data && data.kept > 0 && <Forget user={user} />}>
      <MemorySwitch user={user} />
      {isError && (
        <ErrorState title={t('failed')} onReload={() => void refetch()}>
          {messageOf(error)}
        </ErrorState>
      )}
      {used && !isError && (
        <dl className="ov-totals numeric">
          <Figure label={t('saved', { n: USAGE_DAYS })} value={data?.charNum} unit="chars" />
          <Figure label={t('answered', { n: USAGE_DAYS })} value={data?.texts} unit="texts" />
          <Figure label={t('kept')} value={data?.kept} unit="texts" />
        </dl>
      )}
    </Card>
  );
}
