import { useInvalidate } from '@refinedev/core';
import { rotateApiKey } from '@yiqiao/contracts/api-keys';
import type { Response } from '@yiqiao/contracts/endpoint';
import { Modal, Radio } from 'antd';
import { useState } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { type DialogFrame, whileBusy } from '../../shared/dialogs/dialog-frame.js';
import { SavedButton } from '../../shared/dialogs/saved-button.js';
import type { ApiKey } from './key.js';
import { SecretPanel } from './secret-panel.js';

const OVERLAPS = [0, 24, 72, 168] as const;
type Overlap = (typeof OVERLAPS)[number];

/** A new secret for a key. Once it is made, the dialog only closes by the button that says it was kept. */
export function RotateDialog({ frame, apiKey }: { frame: DialogFrame; apiKey: ApiKey }) {
  const t = useMessages('api-keys');
  const invalidate = useInvalidate();
  const [overlapHours, setOverlap] = useState<Overlap>(24);
  const [made, setMade] = useState<Response<typeof rotateApiKey> | null>(null);
  const { mutate, isPending } = useEndpointMutation(rotateApiKey, {
    onSuccess: (answer) => {
      setMade(answer);
      void invalidate({ resource: 'apiKeys', invalidates: ['list'] });
    },
  });
  const shared = {
    open: frame.open,
    width: 560,
    onCancel: frame.onClose,
    afterClose: frame.afterClose,
  };
  if (made) {
    const { oldSecretUntil } = made.apiKey;
    return (
      <Modal
        {...shared}
        title={<span className="display">{t('rotatedTitle')}</span>}
        closable={false}
        keyboard={false}
        maskClosable={false}
        footer={<SavedButton onClick={frame.onClose}>{t('saved')}</SavedButton>}
      >
        <SecretPanel apiKey={made.apiKey} secret={made.secret} />
        <p className="muted">
          {oldSecretUntil === null ? t('oldGone') : t('oldKept', { time: oldSecretUntil.slice(0, 16) })}
        </p>
      </Modal>
    );
  }
  return (
    <Modal
      {...shared}
      title={
        <span className="display">
          {t('rotateTitle')}
          <span className="dynamic-text">{apiKey.name}</span>
        </span>
      }
      okText={t('rotateVerb')}
      {...whileBusy(isPending)}
      onOk={() => mutate({ id: apiKey.id, overlapHours })}
    >
      <div className="ak-rotate">
        <p className="muted">{t('rotateWhy')}</p>
        <b id="ak-overlap">{t('overlap')}</b>
        <Radio.Group
          aria-labelledby="ak-overlap"
          value={overlapHours}
          disabled={isPending}
          onChange={({ target }) => setOverlap(target.value as Overlap)}
          options={OVERLAPS.map((hours) => ({ value: hours, label: t(`overlap${hours}`) }))}
        />
      </div>
    </Modal>
  );
}
