import { IMAGE_BYTES, IMAGE_PIXELS_MAX } from '@yiqiao/domain/limits';
import { Button } from 'antd';
import type { CSSProperties, ReactNode, Ref } from 'react';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { grouped } from '../../../../shared/amounts.js';
import { sizeText } from '../../../shared/logs/size-text.js';
import { Icon } from '../../../../shared/ui/icon.js';
import { FileDrop, type FileDropHandle } from '../media/file-drop.js';
import type { NoPicture, Picture } from './picture.js';
import type { Block } from './translate-picture.js';

type MarkedPictureProps = {
  src: string;
  alt: string;
  size: { width: number; height: number };
  blocks: readonly Block[];
  /** The text of each block of this picture. */
  textOf: (block: Block) => string;
  lang: string | undefined;
  /** The block that is highlighted here, in the other picture and in the list. */
  chosen: number | null;
  onChoose: (index: number | null) => void;
  onPick: (index: number) => void;
  children?: ReactNode;
};

const share = (part: number, whole: number): string => `${(part / whole) * 100}%`;

/** A picture whose text blocks can be hovered. The keyboard reaches them in the list instead. */
export function MarkedPicture(props: MarkedPictureProps) {
  const { src, alt, size, blocks, textOf, lang, chosen, onChoose, onPick, children } = props;
  const { width, height } = size;
  const placeOf = ({ box: [left, top, w, h] }: Block): CSSProperties => ({
    left: share(left, width),
    top: share(top, height),
    width: share(w, width),
    height: share(h, height),
  });
  return (
    <div
      className="im-picture"
      style={{ aspectRatio: `${width} / ${height}`, '--im-ratio': width / height } as CSSProperties}
    >
      <img src={src} alt={alt} width={width} height={height} draggable={false} />
      {children}
      {blocks.map((block, index) => (
        <button
          key={index}
          type="button"
          tabIndex={-1}
          aria-hidden="true"
          className="im-mark"
          data-chosen={index === chosen}
          style={placeOf(block)}
          title={textOf(block)}
          lang={lang}
          onPointerEnter={() => onChoose(index)}
          onPointerLeave={() => onChoose(null)}
          onClick={() => onPick(index)}
        />
      ))}
    </div>
  );
}

const LIMITS = { size: sizeText(IMAGE_BYTES), pixels: grouped(IMAGE_PIXELS_MAX) };

type SourcePictureProps = {
  picture: Picture | null;
  problem: NoPicture | null;
  busy: boolean;
  onFile: (file: Blob, name: string) => void;
  /** The displayed picture. */
  children: ReactNode;
  /** Content at the right of the footer. */
  send: ReactNode;
  ref: Ref<FileDropHandle>;
};

/** The source: a dropped, pasted or chosen picture, checked before it is sent. */
export function SourcePicture({ picture, problem, busy, onFile, children, send, ref }: SourcePictureProps) {
  const t = useMessages('image');
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
          <span className="numeric md-file">
            <span className="md-name">{picture.name}</span>
            {sizeText(picture.file.size)}
          </span>
        )}
        {send}
      </div>
    </FileDrop>
  );
}

/** No picture yet: drop, paste or choose one. */
export function NoPictureYet({ onChoose }: { onChoose: () => void }) {
  const t = useMessages('image');
  return (
    <div className="md-empty">
      <Icon name="image" />
      <p>{t('drop')}</p>
      <Button className="md-choose" onClick={onChoose}>
        <Icon name="upload" />
        {t('choose')}
      </Button>
      <small>{t('limits', LIMITS)}</small>
    </div>
  );
}
