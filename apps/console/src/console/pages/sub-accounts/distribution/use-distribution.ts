import { useOne } from '@refinedev/core';
import type { Response } from '@yiqiao/contracts/endpoint';
import { distributeAll } from '@yiqiao/contracts/sub-accounts';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../../shared/api/api-error.js';
import { showRefusal } from '../../../../shared/api/show-refusal.js';
import { useEndpointMutation } from '../../../../shared/refine/use-endpoint.js';
import { freshKey } from '../../../../shared/api/fresh-key.js';
import { refreshUser, useMember } from '../../../../shared/auth/user.js';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { grouped } from '../../../../shared/amounts.js';
import type { ChildUser } from '../child-user.js';
import { useRefreshFamily } from '../use-sub-accounts.js';
import {
  changedOf,
  changeOf,
  holdingOf,
  NO_SHARES,
  QUANTITY_TEXTS,
  requestOf,
  type Shares,
  type Sides,
} from './shares.js';

type Notice = 'stale' | 'appliedBefore';
type Given = { child: ChildUser; onDone: () => void; onStartOver: () => void };

/** The balances of both accounts: the page's at first, then the server's. `refresh` refetches them. */
function useSides(child: ChildUser): { sides: Sides; refresh: () => void } {
  const { memberAccount } = useMember();
  const { query } = useOne<ChildUser>({
    resource: 'childUsers',
    id: child.userId,
    liveMode: 'off',
    errorNotification: false, // a failure keeps the page's figures; the server checks on confirmation
    queryOptions: { gcTime: 0, staleTime: 'static' }, // the figures must not change while the member edits
  });
  useEffect(() => {
    refreshUser().catch(() => undefined);
  }, []);
  const own = query.data?.data.memberAccount ?? child.memberAccount;
  const refresh = (): void => {
    void query.refetch();
    refreshUser().catch(() => undefined);
  };
  return { sides: { main: holdingOf(memberAccount), child: holdingOf(own) }, refresh };
}

/**
 * Sends the changes of one opening of the dialog under one Idempotency-Key: a second press, or a retry after an answer that got
 * lost, counts once. If the balances have changed meanwhile, both are refetched and the dialog stays open.
 */
export function useDistribution({ child, onDone, onStartOver }: Given) {
  const t = useMessages('sub-accounts');
  const { sides, refresh } = useSides(child);
  const refreshFamily = useRefreshFamily();
  const sent = useRef(NO_SHARES);
  const [key, setKey] = useState(freshKey);
  const [notice, setNotice] = useState<Notice | null>(null);

  const doneText = (shares: Shares, after: Response<typeof distributeAll>['child']): string => {
    const holding = holdingOf(after);
    const changed = changedOf(shares);
    const figures = changed.map((quantity) => t(QUANTITY_TEXTS[quantity].figure, { n: grouped(holding[quantity]) }));
    const onlyTaken = changed.every((quantity) => changeOf(shares[quantity]) < 0);
    return t(onlyTaken ? 'taken' : 'shared', { name: child.account, figures: figures.join(t('separator')) });
  };

  const startOver = (why: Notice): void => {
    setNotice(why);
    refreshFamily();
    refresh();
  };
  const refused = (error: unknown): void => {
    const code = error instanceof ApiError ? error.code : null;
    if (code === 'QUOTA_NOT_ENOUGH') startOver('stale');
    else if (code === 'IDEMPOTENCY_KEY_REUSED') {
      // An earlier attempt with other amounts has arrived; only its response was lost.
      setKey(freshKey());
      onStartOver();
      startOver('appliedBefore');
    } else showRefusal(error);
  };

  const { mutate, isPending } = useEndpointMutation(distributeAll, {
    successMessage: (after) => doneText(sent.current, after.child),
    onSuccess: () => {
      refreshFamily();
      onDone();
    },
    onError: refused,
  });
  const confirm = (shares: Shares): void => {
    setNotice(null);
    sent.current = shares;
    mutate(requestOf(child.userId, shares), key);
  };

  return { sides, busy: isPending, notice, confirm };
}
