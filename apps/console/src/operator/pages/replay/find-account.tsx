import { getAccount, getCommand } from '@yiqiao/contracts/operator/accounts';
import { Button, Input } from 'antd';
import { useId, useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { ApiError } from '../../../shared/api/api-error.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { call } from '../../shared/api/send.js';
import { destinationOf } from './controls.js';
import './icons.js';
import './replay.css';

/** Opens the ledger of an account that is named by its number or by a command. */
export function FindAccount() {
  const t = useMessages('replay');
  const navigate = useNavigate();
  const [typed, type] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const id = useId();

  const find = async (): Promise<string | null> => {
    const to = destinationOf(typed);
    if (!to || 'at' in to) return null;
    if ('seq' in to) {
      const { userId } = await call(getAccount, { userId: String(to.seq) });
      return `/ledger/replay/${userId}`;
    }
    const [entry] = (await call(getCommand, { cmdId: to.cmdId })).entries;
    return entry ? `/ledger/replay/${entry.userId}?seq=${entry.seq}` : null;
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      const path = await find();
      if (path === null) setRefusal(t('findWrong'));
      else await navigate(path);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setRefusal(error.code === 'NOT_FOUND' ? t('findNothing') : error.message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="card tm-find">
      <form onSubmit={(event) => void submit(event)}>
        <label htmlFor={id}>{t('findField')}</label>
        <span className="tm-find-row">
          <Input
            id={id}
            value={typed}
            autoFocus
            autoComplete="off"
            status={refusal === null ? '' : 'error'}
            aria-invalid={refusal !== null}
            aria-describedby={`${id}-why`}
            onChange={({ target }) => {
              type(target.value);
              setRefusal(null);
            }}
          />
          <Button type="primary" htmlType="submit" loading={busy}>
            {t('findAction')}
          </Button>
        </span>
        <p id={`${id}-why`} className="refusal" role="alert">
          {refusal}
        </p>
      </form>
    </section>
  );
}
