/** Keys of every page (OPERATOR.md §5). Those of a single page are beside it. */
import { Modal } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useMessages } from '../../shared/i18n/messages.js';
import { operatorPages } from '../resources.js';

const CHORD_MS = 1_500;
const FIELDS = 'input, textarea, select, [contenteditable=true]';
const ROWS = 'main .ant-table-row, main [data-row]';
const TARGETS = 'a[href], button:not(:disabled), [tabindex="0"]';

/** Keys rest in fields and dialogs, and leave the browser its own. */
const isOurs = ({ target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean =>
  !defaultPrevented &&
  !(ctrlKey || metaKey || altKey) &&
  !(target instanceof Element && target.closest(`${FIELDS}, dialog, .ant-modal, .ant-drawer`));

/** Moves the focus to the row before or after the focused one. */
function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const row = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))];
  const target = row?.matches(TARGETS) ? row : row?.querySelector<HTMLElement>(TARGETS);
  target?.focus();
}

/** Pages mark the field that narrows their list with `data-filter`. */
const focusFilter = (): void => {
  const field = document.querySelector<HTMLElement>('main [data-filter]');
  (field?.matches(FIELDS) ? field : field?.querySelector<HTMLElement>(FIELDS))?.focus();
};

function useKeys(onHelp: () => void): void {
  const navigate = useNavigate();
  const chordUntil = useRef(0);
  useEffect(() => {
    const single: Readonly<Record<string, () => void>> = {
      '?': onHelp,
      '/': focusFilter,
      j: () => moveRow(1),
      k: () => moveRow(-1),
      g: () => void (chordUntil.current = Date.now() + CHORD_MS),
    };
    const onKey = (event: KeyboardEvent): void => {
      if (!isOurs(event)) return;
      const inChord = Date.now() < chordUntil.current;
      chordUntil.current = 0;
      const page = inChord ? operatorPages.find(({ key }) => key === event.key) : undefined;
      const act = page ? () => void navigate(page.path) : inChord ? undefined : single[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [navigate, onHelp]);
}

type KeyRow = { keys: readonly string[]; text: string };

function KeyList({ title, rows }: { title: string; rows: readonly KeyRow[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl className="key-list">
        {rows.map(({ keys, text }) => (
          <div key={text}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The table that `?` opens. */
export function Keys() {
  const t = useMessages('operator');
  const replay = useMessages('replay');
  const [open, setOpen] = useState(false);
  const [show] = useState(() => () => setOpen(true));
  useKeys(show);
  const everywhere = [
    ...operatorPages
      .filter(({ key }) => key !== undefined)
      .map(({ key = '', name }) => ({ keys: ['g', key], text: t('keyGo', { page: t(name) }) })),
    { keys: ['Ctrl', 'K'], text: t('find') },
    { keys: ['/'], text: t('keyFilter') },
    { keys: ['j', 'k'], text: t('keyRows') },
    { keys: ['Enter', 'Esc'], text: t('keyOpen') },
    { keys: ['?'], text: t('keyHelp') },
  ];
  const inTimeMachine = [
    { keys: [replay('keySpace')], text: replay('keyPlay') },
    { keys: ['←', '→'], text: replay('keyEntry') },
    { keys: ['Shift', '←', '→'], text: replay('keyDay') },
    { keys: ['Home', 'End'], text: t('keyEnds') },
    { keys: ['+', '−'], text: replay('zoom') },
    { keys: ['[', ']'], text: replay('keyMarks') },
    { keys: ['D'], text: replay('keyCompare') },
    { keys: ['G'], text: t('keyGoTo') },
  ];
  return (
    <Modal title={t('help')} open={open} onCancel={() => setOpen(false)} footer={null} width={680}>
      <div className="key-lists">
        <KeyList title={t('keysEverywhere')} rows={everywhere} />
        <KeyList title={t('pageReplay')} rows={inTimeMachine} />
      </div>
      <p className="faint">{t('keysRest')}</p>
    </Modal>
  );
}
