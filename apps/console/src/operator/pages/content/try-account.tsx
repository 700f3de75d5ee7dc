import type { Response } from '@yiqiao/contracts/endpoint';
import { tryServiceAccount } from '@yiqiao/contracts/operator/documents';
import { Input } from 'antd';
import { useState } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { Icon } from '../../../shared/ui/icon.js';

type Answer = { account: string; found: Response<typeof tryServiceAccount> };

/** What members are told about an account, by their own check of what is saved. */
export function TryAccount() {
  const t = useMessages('content');
  const [account, setAccount] = useState('');
  const [answer, setAnswer] = useState<Answer | null>(null);
  const { mutate, isPending } = useEndpointMutation(tryServiceAccount, {
    onSuccess: (found, input) => setAnswer({ account: input.account, found }),
  });
  const first = answer?.found[0];
  return (
    <Card title={t('try')}>
      <div className="card-body">
        <Input.Search
          aria-label={t('tryField')}
          placeholder={t('tryField')}
          enterButton={t('tryButton')}
          maxLength={128}
          loading={isPending}
          value={account}
          onChange={({ target }) => setAccount(target.value)}
          onSearch={(given) => given.trim() !== '' && mutate({ account: given.trim() })}
        />
        <div aria-live="polite" className="try-answer">
          {answer && first && (
            <p className="success-text">
              <Icon name="check" />{' '}
              {t('ours', {
                account: answer.account,
                where: answer.found
                  .map(({ platform, accountType }) => `${platform} · ${t(accountType === 1 ? 'afterSale' : 'preSale')}`)
                  .join(', '),
              })}
              {answer.found.every(({ listed }) => !listed) && <> ({t('unlisted')})</>}
            </p>
          )}
          {answer && !first && (
            <p className="danger-text">
              <Icon name="alert" /> {t('notOurs', { account: answer.account })}
            </p>
          )}
        </div>
        <small className="faint">{t('tryNote')}</small>
      </div>
    </Card>
  );
}
