import { listPayChannels } from '@yiqiao/contracts/orders';
import { listSale } from '@yiqiao/contracts/plans';
import { getDataConfig } from '@yiqiao/contracts/site';
import { useEndpoint, type EndpointQuery } from '../../../shared/refine/use-endpoint.js';
import { usdtPage } from './usdt.js';

/** `methods` keeps the server's order. `usdt`: the external page, once it is known. */
export type Sale = {
  plans: EndpointQuery<typeof listSale>;
  methods: EndpointQuery<typeof listPayChannels>;
  usdt: URL | null;
};

/** The packages on sale and the current payment methods; refetched each time the page opens. */
export function useSale(): Sale {
  const plans = useEndpoint(listSale, {});
  const methods = useEndpoint(listPayChannels, {});
  // Loaded before the click, because browsers allow a new tab only during a click.
  const enabled = methods.data?.includes('USDT') ?? false;
  const usdt = useEndpoint(getDataConfig, { id: 'USDT_PAY_INFO' }, { enabled });
  return { plans, methods, usdt: usdt.data ? usdtPage(usdt.data.valued) : null };
}
