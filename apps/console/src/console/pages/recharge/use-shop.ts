import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { listPayChannels } from '@yiqiao/contracts/orders';
import { listSale } from '@yiqiao/contracts/plans';
import { getDataConfig } from '@yiqiao/contracts/site';
import type { PayChannel } from '@yiqiao/domain/orders';
import { call } from '../../../shared/api/call.js';
import type { Plan } from './plan.js';
import { usdtPage } from './usdt.js';

/** `methods` keeps the server's order. `usdt`: the external page, once it is known. */
export type Shop = {
  plans: UseQueryResult<Plan[]>;
  methods: UseQueryResult<PayChannel[]>;
  usdt: URL | null;
};

/** What is on sale and how it can be paid now; asked again each time the page opens. */
export function useShop(): Shop {
  const plans = useQuery({
    queryKey: ['plans'],
    queryFn: ({ signal }) => call(listSale, {}, { signal }),
  });
  const methods = useQuery({
    queryKey: ['payChannels'],
    queryFn: ({ signal }) => call(listPayChannels, {}, { signal }),
  });
  // Known before the click, because only the click itself may open a tab.
  const usdt = useQuery({
    queryKey: ['dataConfig', 'USDT_PAY_INFO'],
    queryFn: ({ signal }) => call(getDataConfig, { id: 'USDT_PAY_INFO' }, { signal }),
    enabled: methods.data?.includes('USDT') ?? false,
  });
  return { plans, methods, usdt: usdt.data ? usdtPage(usdt.data.valued) : null };
}
