import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { save } from '../../../shared/api/download.js';
import { secondsText } from '../../../shared/channels/health.js';
import { copyText } from '../../../../shared/clipboard.js';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { Icon } from '../../../../shared/ui/icon.js';
import { AUTO, type Direction } from '../abilities.js';
import { blobOfDataUrl, redrawnName } from '../media/answer-file.js';
import { unitsText } from '../media/media-text.js';
import type { Picture } from './picture.js';
import type { Block, ImageAnswer, PictureRequest } from './translate-picture.js';

type PictureSliderProps = { picture: Picture; redrawn: string };

/** Both pictures on top of each other, the original left of a divider that can be dragged or moved with the arrow keys. */
function PictureSlider({ picture, redrawn }: PictureSliderProps) {
  const t = useMessages('image');
  const [at, setAt] = useState(50);
  const { url, width, height } = picture;
  const style = { aspectRatio: `${width} / ${height}`, '--im-ratio': width / height, '--im-at': `${at}%` };
  return (
    <div className="im-picture im-slider" style={style}>
      <img src={redrawn} alt={t('drawnAlt')} width={width} height={height} draggable={false} />
      <img className="im-before" src={url} alt={t('originalAlt')} width={width} height={height} draggable={false} />
      <span className="im-line" aria-hidden="true" />
      <input
        type="range"
        min={0}
        max={100}
        value={at}
        aria-label={t('slider')}
        aria-valuetext={t('sliderAt', { n: at })}
        onChange={(event) => setAt(Number(event.target.value))}
      />
    </div>
  );
}

type RedrawnPictureProps = {
  input: PictureRequest;
  redrawn: ImageAnswer;
  seconds: number;
  /** The translated picture alone. */
  children: ReactNode;
};

/** The translated picture, its cost, and a link to the log that shows it. */
export function RedrawnPicture({ input, redrawn, seconds, children }: RedrawnPictureProps) {
  const t = useMessages('image');
  const media = useMessages('media');
  const [comparing, setComparing] = useState(false);
  const keep = (): void => {
    const content = blobOfDataUrl(redrawn.image);
    save({ name: redrawnName(input.picture.name, input.target, content.type), content });
  };
  return (
    <>
      <div className="im-stage">
        {comparing ? <PictureSlider picture={input.picture} redrawn={redrawn.image} /> : children}
      </div>
      <div className="tt-foot">
        <span className="numeric" data-testid="charged">
          {t('found', { n: redrawn.blocks.length })}
          {media('charged', { s: secondsText(seconds * 1_000), units: unitsText('image', redrawn.charged, media) })}
        </span>
        <Link className="link" to="/UserCenterAccountLog">
          {media('seeLedger')}
        </Link>
        <span className="md-tools">
          <Button size="small" aria-pressed={comparing} onClick={() => setComparing(!comparing)}>
            <Icon name="eye" />
            {t('compare')}
          </Button>
          <Button size="small" onClick={keep}>
            <Icon name="download" />
            {t('download')}
          </Button>
        </span>
      </div>
    </>
  );
}

type BlockListProps = {
  blocks: readonly Block[];
  /** The whole translated text. */
  all: string;
  direction: Direction;
  chosen: number | null;
  onChoose: (index: number | null) => void;
  /** Prefix of the ids of the lines. */
  idPrefix: string;
};

/** Source and translation of each block; hovering one highlights it in both pictures. */
export function BlockList({ blocks, all, direction, chosen, onChoose, idPrefix }: BlockListProps) {
  const t = useMessages('image');
  const { source, target } = direction;
  return (
    <section className="im-blocks" aria-label={t('blocks')}>
      <header>
        <b>{t('blocks')}</b>
        <small>{t('blocksNote')}</small>
        <Button size="small" onClick={({ currentTarget }) => void copyText(all, currentTarget)}>
          <Icon name="copy" />
          {t('copyAll')}
        </Button>
      </header>
      <ol>
        {blocks.map(({ text, translated }, index) => (
          <li
            key={index}
            id={`${idPrefix}${index}`}
            data-chosen={index === chosen}
            onPointerEnter={() => onChoose(index)}
            onPointerLeave={() => onChoose(null)}
            onClick={() => onChoose(index)}
            onFocus={() => onChoose(index)}
            onBlur={() => onChoose(null)}
          >
            <span className="numeric faint">{index + 1}</span>
            <span lang={source === AUTO ? undefined : source} dir="auto">
              {text}
            </span>
            <em lang={target} dir="auto">
              {translated}
            </em>
            <button
              type="button"
              className="close-button"
              aria-label={t('copyBlock', { n: index + 1 })}
              title={t('copyBlock', { n: index + 1 })}
              onClick={({ currentTarget }) => void copyText(translated, currentTarget)}
            >
              <Icon name="copy" />
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}
