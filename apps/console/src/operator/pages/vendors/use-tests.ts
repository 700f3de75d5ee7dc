import type { Response } from '@yiqiao/contracts/endpoint';
import { type listVendorAccounts, testVendorAccount } from '@yiqiao/contracts/operator/vendors';
import { useState } from 'react';
import { useEndpointMutation } from '../../../shared/refine/use-endpoint.js';

export type Tested = Response<typeof testVendorAccount>;
type Channel = Response<typeof listVendorAccounts>['channels'][number];
export type Tests = ReadonlyMap<number, Tested | 'running' | 'failed'>;

/** Tests of accounts from the list: each a real request, one after the other, with its answer beside the account. */
export function useTests() {
  const [tests, setTests] = useState<Tests>(new Map());
  const [isTestingAll, setIsTestingAll] = useState(false);
  // A refusal is shown at the top of the page.
  const { mutateAsync } = useEndpointMutation(testVendorAccount);
  const put = (id: number, value: Tested | 'running' | 'failed'): void =>
    setTests((old) => new Map(old).set(id, value));
  const test = async ({ id }: Channel['accounts'][number]): Promise<void> => {
    put(id, 'running');
    put(id, await mutateAsync({ id: String(id) }).catch(() => 'failed' as const));
  };
  const testAll = async (channels: readonly Channel[]): Promise<void> => {
    setIsTestingAll(true);
    for (const account of channels.flatMap(({ accounts }) => accounts)) await test(account);
    setIsTestingAll(false);
  };
  return { tests, test, testAll, isTestingAll };
}
