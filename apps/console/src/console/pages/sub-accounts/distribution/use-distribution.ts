import type { Response } from '@yiqiao/contracts/endpoint';
import { distributeAll } from '@yiqiao/contracts/sub-accounts';
import { useState } from 'react';
import { ApiError } from '../../../../shared/api/api-error.js';
import { call } from '../../../../shared/api/call.js';
import { freshKey } from '../../../../shared/api/fresh-key.js';
import { useTexts } from '../../../../shared/i18n/texts.js';
import { grouped } from '../../../../shared/ledger/amount-text.js';
import { sayRefusal, useAction } from '../../../../shared/dialogs/use-action.js';
import { toast } from '../../../../shared/ui/toast.js';
import type { ChildUser } from '../child-user.js';
import { useRefreshFamily } from '../use-family.js';
import { QUANTITY_TEXTS } from './quantity-texts.js';
import { changedOf, changeOf, holdingOf, requestOf, type Shares } from './shares.js';
import { useSides } from './use-sides.js';

type Notice = 'stale' | 'appliedBefore';
type Given = { child: ChildUser; onDone: () => void; onStartOver: () => void };

/**
 * Sends the changes of one opening of the dialog under one Idempotency-Key: a second press, or a retry after an answer that got
 * lost, counts once. Where the balances are no longer what was shown, both are asked for again and the dialog stays open.
 */
export function useDistribution({ child, onDone, onStartOver }: Given) {
  const t = useTexts('sub-accounts');
  const { sides, refresh } = useSides(child);
  const refreshFamily = useRefreshFamily();
  const { busy, run } = useAction();
  const [key, setKey] = useState(freshKey);
  const [notice, setNotice] = useState<Notice | null>(null);

  const sayDone = (shares: Shares, after: Response<typeof distributeAll>['child']): void => {
    const holding = holdingOf(after);
    const changed = changedOf(shares);
    const figures = changed.map((quantity) => t(QUANTITY_TEXTS[quantity].figure, { n: grouped(holding[quantity]) }));
    const onlyTaken = changed.every((quantity) => changeOf(shares[quantity]) < 0);
    toast.success(t(onlyTaken ? 'taken' : 'shared', { name: child.account, figures: figures.join(t('separator')) }));
  };

  const startOver = (why: Notice): void => {
    setNotice(why);
    refreshFamily();
    refresh().catch(() => undefined);
  };
  const refused = (error: unknown): void => {
    const code = error instanceof ApiError ? error.code : null;
    if (code === 'QUOTA_NOT_ENOUGH') startOver('stale');
    else if (code === 'IDEMPOTENCY_KEY_REUSED') {
      // An earlier attempt, whose answer was lost, did arrive with other amounts.
      setKey(freshKey());
      onStartOver();
      startOver('appliedBefore');
    } else sayRefusal(error);
  };

  const confirm = (shares: Shares): void =>
    run(async () => {
      setNotice(null);
      const after = await call(distributeAll, requestOf(child.userId, shares), { idempotencyKey: key });
      sayDone(shares, after.child);
      refreshFamily();
      onDone();
    }, refused);

  return { sides, busy, notice, confirm };
}
