import { changeTranslationCache } from '@yiqiao/contracts/user';
import { CACHE_DAYS } from '@yiqiao/domain/limits';
import { Switch } from 'antd';
import { useId } from 'react';
import { call } from '../../../../shared/api/call.js';
import { refreshUser, type User } from '../../../../shared/auth/user.js';
import { useAction } from '../../../../shared/dialogs/use-action.js';
import { useTexts } from '../../../../shared/i18n/texts.js';
import { toast } from '../../../../shared/ui/toast.js';

/** Whether translations are remembered and given again: each member's own choice. It counts at once, without a question: nothing is lost by it. */
export function MemorySwitch({ user }: { user: User }) {
  const t = useTexts('savings');
  const id = useId();
  const { busy, run } = useAction();
  const on = user.translationCache === 1;

  const toggle = async (): Promise<void> => {
    await call(changeTranslationCache, { translationCache: on ? 0 : 1 });
    // Changed it is, even if the member cannot be fetched right now.
    await refreshUser().catch(() => undefined);
    toast.success(t(on ? 'turnedOff' : 'turnedOn'));
  };

  return (
    <div className="ov-memory">
      <label htmlFor={id}>{t('what', { days: CACHE_DAYS })}</label>
      <Switch id={id} checked={on} loading={busy} aria-label={t('title')} onChange={() => run(toggle)} />
    </div>
  );
}
