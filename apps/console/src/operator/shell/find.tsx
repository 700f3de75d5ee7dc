import { searchMembers } from '@yiqiao/contracts/operator/members';
import { Input, Modal, type InputRef } from 'antd';
import { useEffect, useId, useRef, useState, type KeyboardEvent as ReactKeyboardEvent } from 'react';
import { useNavigate } from 'react-router';
import { useMessages } from '../../shared/i18n/messages.js';
import { useEndpoint } from '../../shared/refine/use-endpoint.js';
import { Icon } from '../../shared/ui/icon.js';
import { operatorPages } from '../resources.js';
import { LoadError } from '../shared/states.js';

const TYPING_MS = 200;
const MEMBERS = 8;
const KEYS = 'Ctrl K';

type Found = { to: string; name: string; note: string; kind: 'member' | 'page' };

function useSettled(typed: string): string {
  const [settled, settle] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => settle(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}

/** Pages by their titles, and members by any key of theirs. */
function useFound(typed: string) {
  const t = useMessages('operator');
  const query = useSettled(typed.trim());
  const request = { query, pageNum: '1', pageSize: String(MEMBERS) };
  const members = useEndpoint(searchMembers, request, { enabled: query !== '' });
  const wanted = typed.trim().toLowerCase();
  const pages = operatorPages
    .filter(({ menu, name }) => menu && t(name).toLowerCase().includes(wanted))
    .map(({ path, name }): Found => ({ to: path, name: t(name), note: t('findPage'), kind: 'page' }));
  const rows = query === '' ? [] : (members.data?.rows ?? []);
  const people = rows.map(({ userId, username, nickname, account, role }): Found => {
    const note = [`#${userId}`, account ?? (role === 'sub' ? t('findSub') : null)].filter(Boolean).join(' · ');
    return { to: `/members/${userId}`, name: username ?? nickname ?? `#${userId}`, note, kind: 'member' };
  });
  const settled = query === typed.trim() && !(query !== '' && members.isFetching);
  return { found: [...people, ...pages], settled, members };
}

function Results({ onGo }: { onGo: (to: string) => void }) {
  const t = useMessages('operator');
  const id = useId();
  const input = useRef<InputRef>(null);
  const [typed, type] = useState('');
  const [chosen, choose] = useState(0);
  const { found, settled, members } = useFound(typed);
  const at = Math.min(chosen, found.length - 1);
  const onKeyDown = (event: ReactKeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = found[at];
    if (step !== undefined) choose((at + step + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter' && settled && row) onGo(row.to);
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);
  return (
    <>
      <Input
        ref={input}
        autoFocus
        size="large"
        variant="borderless"
        prefix={<Icon name="search" />}
        role="combobox"
        aria-label={t('find')}
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
        placeholder={t('findHint')}
        maxLength={255}
        value={typed}
        onChange={({ target }) => {
          type(target.value);
          choose(0);
        }}
        onKeyDown={onKeyDown}
      />
      {members.isError && <LoadError error={members.error} onReload={() => void members.refetch()} />}
      <ul className="find-list" id={`${id}-list`} role="listbox" aria-label={t('find')} aria-busy={!settled}>
        {found.map((row, index) => (
          <li
            key={row.to}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => onGo(row.to)}
            onMouseMove={() => choose(index)}
          >
            <Icon name={row.kind === 'member' ? 'users' : 'forward'} />
            <span className="dynamic-text">{row.name}</span>
            <small className="numeric">{row.note}</small>
          </li>
        ))}
      </ul>
      <p className="find-note" role="status">
        {settled && !members.isError && found.length === 0 && t('findNothing')}
        {settled && members.data?.more === true && t('findMore')}
      </p>
    </>
  );
}

/** Opens with Ctrl or ⌘ K from anywhere: members and pages (OPERATOR.md §5). */
export function Find() {
  const t = useMessages('operator');
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      // Over another dialog it would take the focus out of unfinished work.
      if (!document.querySelector('.ant-modal-wrap:not([style*="display: none"]), dialog[open]')) setOpen(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const close = (): void => setOpen(false);
  return (
    <>
      <button type="button" className="find-button" aria-keyshortcuts="Control+K Meta+K" onClick={() => setOpen(true)}>
        <Icon name="search" />
        <span>{t('findHint')}</span>
        <kbd aria-hidden="true">{KEYS}</kbd>
      </button>
      <Modal
        className="find-dialog"
        title={<span className="visually-hidden">{t('find')}</span>}
        open={open}
        closable={false}
        footer={null}
        width={560}
        destroyOnHidden
        onCancel={close}
      >
        <Results
          onGo={(to) => {
            close();
            void navigate(to);
          }}
        />
      </Modal>
    </>
  );
}
