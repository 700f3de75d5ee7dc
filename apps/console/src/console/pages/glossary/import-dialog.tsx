import { useInvalidate } from '@refinedev/core';
import { useMutation } from '@tanstack/react-query';
import type { FieldError } from '@yiqiao/contracts/envelope';
import { importTerms } from '@yiqiao/contracts/glossary';
import { GLOSSARY_FILE_BYTES } from '@yiqiao/domain/limits';
import { Modal, Radio, Upload } from 'antd';
import { useState } from 'react';
import { ApiError } from '../../../shared/api/api-error.js';
import { save } from '../../shared/api/download.js';
import { showRefusal } from '../../../shared/api/show-refusal.js';
import { useSingleSubmit } from '../../../shared/refine/use-single-submit.js';
import { upload } from '../../shared/api/upload.js';
import { type DialogFrame, whileBusy } from '../../shared/dialogs/dialog-frame.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { sizeText } from '../../shared/logs/size-text.js';
import { Icon } from '../../../shared/ui/icon.js';
import { toast } from '../../../shared/ui/toast.js';

/** The invalid lines of a file: each `path` begins with the number of its line; `lines` is their total. */
type LineErrors = { readonly errors: readonly FieldError[]; readonly lines: number };

/** The invalid lines and their errors. */
function ImportErrors({ invalid: { errors, lines } }: { invalid: LineErrors }) {
  const t = useMessages('glossary');
  return (
    <div className="gl-errors" role="alert">
      <b>{t('invalidTitle', { n: lines })}</b>
      <ul>
        {errors.map(({ path, msg }, at) => (
          <li key={at}>
            <span className="numeric">{t('invalidLine', { line: path.split('.', 1)[0] ?? '' })}</span>
            <span>{msg}</span>
          </li>
        ))}
      </ul>
      {errors.length < lines && <small className="faint">{t('invalidMore', { n: grouped(errors.length) })}</small>}
    </div>
  );
}

const WHY = { merge: 'mergeWhy', replace: 'replaceWhy' } as const;
type Mode = keyof typeof WHY;
const MODES: readonly Mode[] = ['merge', 'replace'];

/** With the headings that the dialog names; the server reads those of both languages. */
const HEADINGS = { zh: '原文语言,译文语言,术语,译文', en: 'source,target,term,translation' };
const TEMPLATE = `\uFEFF${HEADINGS[language]}\r\nzh-Hans,en,保温午餐包,insulated lunch bag\r\n`;

/** Imports a table of terms, all of it or nothing; an invalid file stays chosen, and its invalid lines are listed. */
export function ImportDialog({ frame }: { frame: DialogFrame }) {
  const t = useMessages('glossary');
  const invalidate = useInvalidate();
  const [file, setFile] = useState<File | null>(null);
  const [mode, setMode] = useState<Mode>('merge');
  const [invalid, setInvalid] = useState<LineErrors | null>(null);

  const choose = (chosen: File): void => {
    setInvalid(null);
    if (chosen.size > GLOSSARY_FILE_BYTES) toast.error(t('fileTooLarge'));
    else setFile(chosen);
  };
  // Not a mutation of Refine: its provider sends JSON, and a file goes as a form (docs/decisions/0021).
  const { mutateAsync, isPending: busy } = useMutation({
    mutationFn: (chosen: File) => upload(importTerms, { file: chosen, fields: { mode } }),
    onSuccess: ({ added, changed, unchanged, removed }) => {
      const counts = { added, changed, unchanged, removed };
      toast.success(t('imported', Object.fromEntries(Object.entries(counts).map(([name, n]) => [name, grouped(n)]))));
      void invalidate({ resource: 'terms', invalidates: ['list'] });
      frame.onClose();
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'GLOSSARY_FILE_INVALID' && error.errors.length > 0)
        setInvalid({ errors: error.errors, lines: Number(error.data['lines'] ?? error.errors.length) });
      else showRefusal(error);
    },
  });
  const send = useSingleSubmit(mutateAsync);

  return (
    <Modal
      open={frame.open}
      width={560}
      title={<span className="display">{t('importTitle')}</span>}
      okText={t('importVerb')}
      okButtonProps={{ disabled: file === null, danger: mode === 'replace' }}
      {...whileBusy(busy)}
      onOk={() => file && send(file)}
      onCancel={frame.onClose}
      afterClose={frame.afterClose}
    >
      <div className="gl-import">
        <p>
          {t('importWhy')}{' '}
          <button
            type="button"
            className="link"
            onClick={() => save({ name: 'glossary.csv', content: new Blob([TEMPLATE], { type: 'text/csv' }) })}
          >
            {t('template')}
          </button>
        </p>
        <Upload.Dragger
          accept=".csv,.tsv,.txt,text/csv"
          showUploadList={false}
          disabled={busy}
          beforeUpload={(chosen) => {
            choose(chosen);
            return false;
          }}
        >
          <Icon name="upload" className="gl-drop-icon" />
          {file ? (
            <span className="dynamic-text">
              {file.name} <small className="faint">{t('chosenSize', { size: sizeText(file.size) })}</small>
            </span>
          ) : (
            <span>{t('choose')}</span>
          )}
        </Upload.Dragger>
        <Radio.Group
          className="gl-modes"
          aria-label={t('mode')}
          value={mode}
          disabled={busy}
          onChange={(event) => setMode(event.target.value as Mode)}
        >
          {MODES.map((each) => (
            <Radio key={each} value={each}>
              {t(each)}
              <small className="faint">{t(WHY[each])}</small>
            </Radio>
          ))}
        </Radio.Group>
        {invalid && <ImportErrors invalid={invalid} />}
      </div>
    </Modal>
  );
}
