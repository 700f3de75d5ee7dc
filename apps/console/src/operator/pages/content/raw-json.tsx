import { checkDocument } from '@yiqiao/contracts/operator/documents';
import { Button, Input } from 'antd';
import { useState } from 'react';
import { messageOf } from '../../../shared/api/api-error.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { Icon } from '../../../shared/ui/icon.js';
import type { Draft } from './use-draft.js';

type Outcome = { text: string; wrong: string | null; at: string | null };

/** The document as it is stored, in step with its form, and the server's check of it. */
export function RawJson({ id, draft, disabled }: { id: string; draft: Draft; disabled: boolean }) {
  const t = useMessages('content');
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { mutate, isPending } = useEndpointMutation(checkDocument, {
    onSuccess: ({ wrong, at }, { valued }) => setOutcome({ text: valued, wrong, at }),
    onError: (error, { valued }) => setOutcome({ text: valued, wrong: messageOf(error), at: null }),
  });
  const said = outcome?.text === draft.text ? outcome : null;
  return (
    <div className="raw-json">
      <Input.TextArea
        aria-label={t('rawOf', { id })}
        className="mono"
        spellCheck={false}
        autoSize={{ minRows: 14, maxRows: 32 }}
        disabled={disabled}
        status={draft.isBroken ? 'error' : ''}
        value={draft.text}
        onChange={({ target }) => draft.setText(target.value)}
      />
      <div className="raw-foot" aria-live="polite">
        {draft.isBroken ? (
          <p className="danger-text">{t('notJson')}</p>
        ) : (
          said && (
            <p className={said.wrong === null ? 'success-text' : 'danger-text'}>
              <Icon name={said.wrong === null ? 'check' : 'alert'} /> {said.wrong ?? t('checked')}
              {said.at ? <> ({t('atField', { at: said.at })})</> : null}
            </p>
          )
        )}
        {!disabled && (
          <Button loading={isPending} disabled={draft.isBroken} onClick={() => mutate({ id, valued: draft.text })}>
            {t('check')}
          </Button>
        )}
      </div>
    </div>
  );
}
