import { getAccount, getCommand } from '@yiqiao/contracts/operator/accounts';
import type { Response } from '@yiqiao/contracts/endpoint';
import { searchMembers } from '@yiqiao/contracts/operator/members';
import { Button, Input } from 'antd';
import { useId, useState, type FormEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { ApiError } from '../../../shared/api/api-error.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { call } from '../../shared/api/send.js';
import { destinationOf } from './go-to.js';
import './icons.js';
import './replay.css';

type Found = Response<typeof searchMembers>;

/** Members that are offered; more need a more precise question. */
const MOST = 8;

const replayOf = (userId: number): string => `/ledger/replay/${userId}`;

/** Usernames are unique; those who contain the name come after the one who has it. */
const isNamed = ({ username }: Found['rows'][number], typed: string): boolean =>
  username !== null && username.toLowerCase() === typed.trim().toLowerCase();

/** Opens the ledger of an account: by its number, a command, or whatever finds a member. */
export function FindAccount() {
  const t = useMessages('replay');
  const navigate = useNavigate();
  const [typed, type] = useState('');
  const [refusal, setRefusal] = useState<string | null>(null);
  const [several, setSeveral] = useState<Found | null>(null);
  const [busy, setBusy] = useState(false);
  const id = useId();

  /** The address of what was named exactly; null if it names nothing by itself. */
  const named = async (): Promise<string | null> => {
    const to = destinationOf(typed);
    if (!to || 'at' in to) return null;
    if ('cmdId' in to) {
      const [entry] = (await call(getCommand, { cmdId: to.cmdId })).entries;
      return entry ? `${replayOf(entry.userId)}?seq=${entry.seq}` : null;
    }
    try {
      return replayOf((await call(getAccount, { userId: String(to.seq) })).userId);
    } catch (error) {
      // Digits may be an order or a name.
      if (error instanceof ApiError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  };
  const find = async (): Promise<void> => {
    const path = await named();
    if (path !== null) return void (await navigate(path));
    const found = await call(searchMembers, { query: typed.trim(), pageNum: '1', pageSize: String(MOST) });
    const [first, second] = found.rows;
    if (!first) setRefusal(t('findNothing'));
    else if (!second || isNamed(first, typed)) await navigate(replayOf(first.userId));
    else setSeveral(found);
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (typed.trim() === '') return setRefusal(t('findWrong'));
    setBusy(true);
    setSeveral(null);
    try {
      await find();
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
            maxLength={255}
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
      <div role="status">
        {several && (
          <>
            <p className="faint">{t(several.more || several.total > MOST ? 'findMore' : 'findSeveral')}</p>
            <ul className="tm-found">
              {several.rows.map(({ userId, username, nickname, account }) => (
                <li key={userId}>
                  <Link className="link" to={replayOf(userId)}>
                    {username ?? nickname ?? `#${userId}`}
                  </Link>{' '}
                  <span className="faint num">{[`#${userId}`, account].filter(Boolean).join(' · ')}</span>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </section>
  );
}
