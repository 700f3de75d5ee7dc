import { useSelect } from '@refinedev/antd';
import { PAGE_SIZE_MAX } from '@yiqiao/domain/limits';
import { Select } from 'antd';
import { SearchBox } from '../../../shared/antd/search-box.js';
import { isMain, useMember } from '../../../shared/auth/user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { type KeyTable, STATES } from './use-key-table.js';

type SubAccount = { userId: number; account: string; nickname: string };

type OwnerFilterProps = { value: string | undefined; onChange: (userId: string | undefined) => void };

/** The accounts of the family, searched on the server: there may be more than fit into a list. */
function OwnerFilter({ value, onChange }: OwnerFilterProps) {
  const t = useMessages('api-keys');
  const own = String(useMember().userId);
  const { selectProps } = useSelect<SubAccount>({
    resource: 'childUsers',
    optionValue: 'userId',
    optionLabel: ({ account, nickname }) =>
      nickname === '' || nickname === account ? account : `${nickname} · ${account}`,
    pagination: { pageSize: PAGE_SIZE_MAX },
    onSearch: (account) => [{ field: 'account', operator: 'contains', value: account.trim() }],
    ...(value === undefined || value === own ? {} : { defaultValue: value }),
    errorNotification: false,
  });
  const { options = [], onSearch, loading } = selectProps;
  return (
    <Select<string>
      className="ak-filter"
      allowClear
      showSearch
      filterOption={false}
      loading={loading ?? false}
      aria-label={t('ownerFilter')}
      placeholder={t('anyOwner')}
      value={value ?? null}
      options={[
        { value: own, label: t('ownAccount') },
        ...options.map((option) => ({ value: String(option.value), label: option.label })),
      ]}
      {...(onSearch ? { onSearch } : {})}
      onChange={(userId: string | undefined) => onChange(userId)}
    />
  );
}

/** Search, state and, for main accounts, owner. */
export function KeyFilters({ table: { query, setQuery } }: { table: KeyTable }) {
  const t = useMessages('api-keys');
  const main = isMain(useMember());
  return (
    <div className="ak-filters">
      <SearchBox
        label={t('search')}
        value={query.keyword ?? ''}
        onSearch={(keyword) => keyword.trim() !== (query.keyword ?? '') && setQuery({ ...query, keyword })}
      />
      <Select<string>
        className="ak-filter"
        allowClear
        aria-label={t('stateFilter')}
        placeholder={t('anyState')}
        value={query.state ?? null}
        options={STATES.map((state) => ({ value: state, label: t(state) }))}
        onChange={(state: string | undefined) => setQuery({ ...query, state: state ?? '' })}
      />
      {main && <OwnerFilter value={query.userId} onChange={(userId) => setQuery({ ...query, userId: userId ?? '' })} />}
    </div>
  );
}
