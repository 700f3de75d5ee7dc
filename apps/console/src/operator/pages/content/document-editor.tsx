import { useCan } from '@refinedev/core';
import type { Response } from '@yiqiao/contracts/endpoint';
import { getDocument, listDocuments, saveDocument } from '@yiqiao/contracts/operator/documents';
import type { CustomerServiceDocument, SiteInfo, SoftDownloads } from '@yiqiao/contracts/site-documents';
import { Segmented } from 'antd';
import { useEffect, useState, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { ApiError, messageOf } from '../../../shared/api/api-error.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { Conflict } from '../../shared/conflict.js';
import { Changes, type Problem } from './changes.js';
import { DownloadsForm } from './downloads-form.js';
import { changesOf, parsed, textOf } from './json.js';
import { BLANK, formValue, isKnown, type Known, type UsdtPayInfo, wrongFields } from './kinds.js';
import { RawJson } from './raw-json.js';
import { ServiceForm } from './service-form.js';
import { type FormProps, SiteInfoForm } from './site-info-form.js';
import { useDraft } from './use-draft.js';
import { UsdtForm } from './usdt-form.js';
import { pathName, valueText } from './words.js';

type Document = Response<typeof getDocument>;

const VIEWS = ['form', 'json'] as const;
type View = (typeof VIEWS)[number];

/** What the server has; of one that was never saved, what its form begins with. */
const valueOf = ({ id, valued }: Document): unknown =>
  valued === null ? (isKnown(id) ? BLANK[id] : null) : (parsed(valued)?.value ?? null);

/** One document: its form or its text, what would change, and the button that saves it. */
export function DocumentEditor({ document, children }: { document: Document; children: ReactNode }) {
  const t = useMessages('content');
  const { id } = document;
  const { data: may } = useCan({ resource: 'documents', action: 'content.change' });
  const disabled = !may?.can;
  const invalidate = useInvalidateEndpoint();
  /** The version that the editing began with. */
  const [base, setBase] = useState(document);
  const [problem, setProblem] = useState<Problem | null>(null);
  const draft = useDraft(valueOf(document));
  const changes = changesOf(valueOf(base), draft.value);
  const isDirty = changes.length > 0 || draft.isBroken;
  const save = useEndpointMutation(saveDocument, {
    successMessage: () => t('saved'),
    onSuccess: async ({ version, valued }) => {
      setBase({ ...base, version, valued });
      draft.setValue(parsed(valued)?.value);
      setProblem(null);
      await Promise.all([invalidate(getDocument), invalidate(listDocuments)]);
    },
    onError: async (error) => {
      // The newer version appears beside this one.
      if (error instanceof ApiError && error.code === 'EDITED_MEANWHILE') await invalidate(getDocument);
      else setProblem(problemOf(error));
    },
  });
  const isNewer = document.version > base.version && !save.isPending;
  const take = (theirs: Document): void => {
    draft.setValue(valueOf(theirs));
    setBase(theirs);
  };
  useEffect(() => {
    if (isNewer && !isDirty) take(document);
  });
  const [params, setParams] = useSearchParams();
  const known = isKnown(id);
  const fits = known ? formValue(id, draft.value) : null;
  const view: View = fits === null || params.get('view') === 'json' ? 'json' : 'form';
  return (
    <>
      <div className="span-8">
        <Card title={known ? t(`name_${id}`) : id} note={t(document.public ? 'isPublic' : 'isPrivate', { id })}>
          {isNewer && isDirty && (
            <Conflict
              by={document.changedBy ?? '—'}
              at={document.changedAt ?? '—'}
              rows={changesOf(valueOf(document), draft.value).map(({ path, before, after }) => ({
                label: pathName(draft.value, path, t),
                theirs: valueText(path, before, t),
                yours: valueText(path, after, t),
              }))}
              onTheirs={() => take(document)}
              onMine={() => setBase({ ...base, version: document.version, valued: document.valued })}
            />
          )}
          {known && (
            <div className="document-views">
              <Segmented<View>
                size="small"
                aria-label={t('views')}
                options={VIEWS.map((value) => ({
                  value,
                  label: t(`view_${value}`),
                  disabled: value === 'form' && (fits === null || draft.isBroken),
                }))}
                value={view}
                onChange={(value) => setParams(value === 'json' ? { view: value } : {}, { replace: true })}
              />
              {fits === null && <small className="danger-text">{t('noForm')}</small>}
            </div>
          )}
          {view === 'form' && known ? (
            <KnownForm
              id={id}
              value={fits}
              disabled={disabled}
              wrong={isDirty ? wrongFields(id, draft.value) : new Set()}
              onChange={draft.setValue}
            />
          ) : (
            <RawJson id={id} draft={draft} disabled={disabled} />
          )}
        </Card>
      </div>
      <div className="span-4 content-column">
        <Changes
          changes={changes}
          draft={draft}
          original={valueOf(base)}
          problem={problem}
          busy={save.isPending}
          blocked={isNewer}
          refusal={disabled ? (may?.reason ?? '') : null}
          onSave={(reason) => save.mutate({ id, valued: textOf(draft.value), version: base.version, reason })}
        />
        {children}
      </div>
    </>
  );
}

/** Why it was refused, and at which field. */
function problemOf(error: unknown): Problem | null {
  if (!(error instanceof ApiError)) throw error;
  const data = error.data as { why?: string; at?: string | null } | null;
  const said = error.errors[0]?.msg ?? messageOf(error);
  const why = data?.why ?? said;
  return why === null ? null : { why, at: data?.at ?? null };
}

function KnownForm({ id, value, ...props }: { id: Known } & FormProps<unknown>) {
  switch (id) {
    case 'SITE_INFO':
      return <SiteInfoForm value={value as SiteInfo} {...props} />;
    case 'CUSTOMER_SERVICE':
      return <ServiceForm value={value as CustomerServiceDocument} {...props} />;
    case 'SOFT_DOWNLOAD_CONFIG':
      return <DownloadsForm value={value as SoftDownloads} {...props} />;
    case 'USDT_PAY_INFO':
      return <UsdtForm value={value as UsdtPayInfo} {...props} />;
  }
}
