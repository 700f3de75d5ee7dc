import { useState } from 'react';
import { useTexts } from '../../../../shared/i18n/texts.js';
import type { Picture } from './picture.js';

type PictureSliderProps = { picture: Picture; drawn: string };

/** Both pictures in one place, the original left of a line that can be moved: dragged, or with the arrow keys. */
export function PictureSlider({ picture, drawn }: PictureSliderProps) {
  const t = useTexts('image');
  const [at, setAt] = useState(50);
  const { url, width, height } = picture;
  const style = { aspectRatio: `${width} / ${height}`, '--im-ratio': width / height, '--im-at': `${at}%` };
  return (
    <div className="im-picture im-slider" style={style}>
      <img src={drawn} alt={t('drawnAlt')} width={width} height={height} draggable={false} />
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
