import { changeTranslationCache } from '@yiqiao/contracts/user';
import { CACHE_DAYS } from '@yiqiao/domain/limits';
import { Switch } from 'antd';
import { useId } from 'react';
import { useEndpointMutation } from '../../../../shared/api/use-endpoint.js';
import { refreshUser, type User } from '../../../../shared/auth/user.js';
import { useTexts } from '../../../../shared/i18n/texts.js';

/** Whether translations are remembered and given again: each member's own choice. Applied without confirmation: nothing is lost by it. */
export function MemorySwitch({ user }: { user: User }) {
  const t = useTexts('savings');
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
