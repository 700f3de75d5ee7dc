import type { Response } from '@yiqiao/contracts/endpoint';
import type { listOrders } from '@yiqiao/contracts/orders';
import { useEffect, useState } from 'react';
import { callRoute } from '../../../shared/api/call.js';
import { billingModeOf, refreshUser } from '../../../shared/auth/user.js';

type Order = Response<typeof listOrders>['rows'][number];

/** What an order brought, and what the account holds now. `holdsChars`: it is billed by character. */
export type Credit = {
  amount: number;
  billingMode: Order['translationBillingMode'];
  creditedNum: number | null;
  holdsChars: boolean;
  usableCharNum: number;
  expireDateTime: string | null;
};

/** Written here, because every public page loads the shared routes. */
const LIST_ORDERS = { method: 'GET', path: '/orderByMemberGroup/page' } as const;
/** The newest orders; one that was paid long after others is not among them, and goes without its figures. */
const NEWEST = '20';

async function read(orderId: number): Promise<Credit | null> {
  const [{ rows }, user] = await Promise.all([
    callRoute<typeof listOrders>(LIST_ORDERS, { pageSize: NEWEST }),
    refreshUser(), // the orders page shows the balance too
  ]);
  const order = rows.find(({ id }) => id === orderId);
  if (!order) return null;
  return {
    amount: order.amount,
    billingMode: order.translationBillingMode,
    creditedNum: order.creditedNum,
    holdsChars: billingModeOf(user) === 'char',
    usableCharNum: user.memberAccount.usableCharNum,
    expireDateTime: user.memberAccount.expireDateTime,
  };
}

/** Reads both once the order is `paid`; null when that fails, because the page says without them that it is paid. */
export function useCredit(orderId: number, paid: boolean): Credit | 'loading' | null {
  const [credit, setCredit] = useState<Credit | 'loading' | null>('loading');
  useEffect(() => {
    if (!paid) return undefined;
    let here = true;
    read(orderId)
      .catch(() => null)
      .then(
        (found) => here && setCredit(found),
        () => undefined,
      );
    return () => {
      here = false;
    };
  }, [orderId, paid]);
  return credit;
}
