import { IMAGE_BYTES, IMAGE_PIXELS_MAX } from '@yiqiao/domain/limits';
import { Button } from 'antd';
import type { ReactNode, Ref } from 'react';
import { useTexts } from '../../../../shared/i18n/texts.js';
import { grouped } from '../../../../shared/ledger/amount-text.js';
import { sizeText } from '../../../../shared/logs/size-text.js';
import { Icon } from '../../../../shared/ui/icon.js';
import { FileDrop, type FileDropHandle } from '../media/file-drop.js';
import type { NoPicture, Picture } from './picture.js';

const LIMITS = { size: sizeText(IMAGE_BYTES), pixels: grouped(IMAGE_PIXELS_MAX) };

type SourcePictureProps = {
  picture: Picture | null;
  problem: NoPicture | null;
  busy: boolean;
  onFile: (file: Blob, name: string) => void;
  /** The picture as it is shown. */
  children: ReactNode;
  /** What stands at the right of the foot. */
  send: ReactNode;
  ref: Ref<FileDropHandle>;
};

/** The picture above the waterline: dropped, pasted or chosen, and looked at before it is sent. */
export function SourcePicture({ picture, problem, busy, onFile, children, send, ref }: SourcePictureProps) {
  const t = useTexts('image');
  return (
    <FileDrop
      ref={ref}
      className="tt-pane tt-source"
      accept="image/png,image/jpeg,image/webp"
      disabled={busy}
      onFile={(file) => onFile(file, file.name)}
    >
      {children}
      {problem !== null && (
        <p className="md-problem" role="alert">
          <Icon name="alert" />
          {t(problem, LIMITS)}
        </p>
      )}
      <div className="tt-foot">
        {picture !== null && (
          <span className="num md-file">
            <span className="md-name">{picture.name}</span>
            {sizeText(picture.file.size)}
          </span>
        )}
        {send}
      </div>
    </FileDrop>
  );
}

/** Nothing chosen yet: every way to bring a picture. */
export function NoPictureYet({ onChoose }: { onChoose: () => void }) {
  const t = useTexts('image');
  return (
    <div className="md-empty">
      <Icon name="image" />
      <p>{t('drop')}</p>
      <Button onClick={onChoose}>
        <Icon name="upload" />
        {t('choose')}
      </Button>
      <small>{t('limits', LIMITS)}</small>
    </div>
  );
}
