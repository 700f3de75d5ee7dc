import type { Response } from '@yiqiao/contracts/endpoint';
import type { importStatement } from '@yiqiao/contracts/operator/reconciliations';
import { Button, Input } from 'antd';
import { type FormEvent, useState } from 'react';
import { messageOf } from '../../../shared/api/api-error.js';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Dialog } from '../../../shared/ui/dialog.js';
import { toast } from '../../../shared/ui/toast.js';
import { send } from '../../shared/api/send.js';

type Run = Response<typeof importStatement>;

/** Takes a statement as it was downloaded. A refusal stays beside the file. */
export function ImportDialog({ onClose, onImported }: { onClose: () => void; onImported: (run: Run) => void }) {
  const t = useMessages('payments');
  const [busy, setBusy] = useState(false);
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
    const [from, to] = [given.get('from'), given.get('to')];
    if (typeof from === 'string' && from !== '' && typeof to === 'string' && to !== '') {
      body.set('from', `${from} 00:00:00`);
      body.set('to', `${to} 23:59:59`);
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
      <form className="payment-dialog" onSubmit={(event) => void submit(event)}>
        <p className="muted">{t('importWhy')}</p>
        <label>
          {t('file')}
          <br />
          <input type="file" name="file" accept=".csv,text/csv" data-first />
        </label>
        <fieldset className="payment-filters">
          <legend className="muted">{t('importDays')}</legend>
          {(['from', 'to'] as const).map((name) => (
            <label key={name}>
              {t(name)}
              <Input type="date" name={name} />
            </label>
          ))}
        </fieldset>
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
