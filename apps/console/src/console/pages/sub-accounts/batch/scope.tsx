import { CHILDREN_AT_ONCE } from '@yiqiao/domain/limits';
import { Radio } from 'antd';
import { useState } from 'react';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { grouped } from '../../../../shared/amounts.js';
import type { ChildUser } from '../child-user.js';

/** What a batch can reach: the ticked sub-accounts, or the `total` that `search` finds. */
export type Targets = { ticked: readonly ChildUser[]; search: string; total: number };

type Scope = 'ticked' | 'all';

/** The chosen scope, how many it has, and its fields of the request. */
export function useScope({ ticked, search, total }: Targets) {
  const canTick = ticked.length > 0 && ticked.length <= CHILDREN_AT_ONCE;
  const [scope, setScope] = useState<Scope>(canTick ? 'ticked' : 'all');
  return {
    scope,
    setScope,
    canTick,
    count: scope === 'ticked' ? ticked.length : total,
    fields: scope === 'ticked' ? { childrenIds: ticked.map(({ userId }) => userId) } : { account: search },
  };
}

type ScopeFieldProps = { targets: Targets; chosen: ReturnType<typeof useScope> };

/** Ticked sub-accounts, or everybody that the search finds, those on other pages included. */
export function ScopeField({ targets: { ticked, search, total }, chosen }: ScopeFieldProps) {
  const t = useMessages('sub-accounts');
  const n = grouped(total);
  return (
    <Radio.Group
      className="sa-radios"
      aria-label={t('scope')}
      value={chosen.scope}
      onChange={({ target }) => chosen.setScope(target.value === 'ticked' ? 'ticked' : 'all')}
      options={[
        { value: 'ticked', label: t('scopeTicked', { n: ticked.length }), disabled: !chosen.canTick },
        { value: 'all', label: search === '' ? t('scopeAll', { n }) : t('scopeFound', { n, text: search }) },
      ]}
    />
  );
}
