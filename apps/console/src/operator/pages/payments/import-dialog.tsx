import type { Response } from '@yiqiao/contracts/endpoint';
import type { importStatement } from '@yiqiao/contracts/operator/reconciliations';
import { Button } from 'antd';
import { type FormEvent, useState } from 'react';
import { messageOf } from '../../../shared/api/api-error.js';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Dialog } from '../../../shared/ui/dialog.js';
import { Icon } from '../../../shared/ui/icon.js';
import { toast } from '../../../shared/ui/toast.js';
import { send } from '../../shared/api/send.js';
import { DayFields, type Days } from './day-fields.js';
import { momentsOf } from './payments-frame.js';

type Run = Response<typeof importStatement>;

/** Takes a statement as it was downloaded. A refusal stays beside the file. */
export function ImportDialog({ onClose, onImported }: { onClose: () => void; onImported: (run: Run) => void }) {
  const t = useMessages('payments');
  const [busy, setBusy] = useState(false);
  const [days, setDays] = useState<Days>({});
  const [name, setName] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const file = given.get('file');
    if (!(file instanceof File) || file.name === '') {
      setProblem(t('chooseFile'));
      return;
    }
    const body = new FormData();
    body.set('name', file.name);
    const { from, to } = momentsOf(days);
    if (from !== undefined && to !== undefined) {
      body.set('from', from);
      body.set('to', to);
    }
    body.set('file', file);
    setBusy(true);
    setProblem(null);
    try {
      const run = (await send({ method: 'POST', path: '/statements', body })) as Run;
      toast.success(t('imported', { lines: grouped(run.total), n: grouped(run.differences) }));
      onImported(run);
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={t('importTitle')} busy={busy} onClose={onClose}>
      <form className="dialog-body payment-dialog" onSubmit={(event) => void submit(event)}>
        <p className="muted">{t('importWhy')}</p>
        <label className="file-field">
          {t('file')}
          <input
            type="file"
            name="file"
            accept=".csv,text/csv"
            className="visually-hidden"
            data-first
            onChange={({ target }) => setName(target.files?.[0]?.name ?? null)}
          />
          <span className="file-chosen">
            <span className="button button-default button-small" aria-hidden="true">
              <Icon name="file" />
              {t('pickFile')}
            </span>
            <span className={name === null ? 'faint' : 'dynamic-text'}>{name ?? t('noFile')}</span>
          </span>
        </label>
        <div className="import-days" role="group" aria-label={t('importDays')}>
          <span className="muted">{t('importDays')}</span>
          <DayFields filters={days} onChange={setDays} />
        </div>
        {problem !== null && (
          <p className="remark bad" role="alert">
            {problem}
          </p>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose} disabled={busy}>
            {t('cancel')}
          </Button>
          <Button type="primary" htmlType="submit" loading={busy}>
            {t('importGo')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
