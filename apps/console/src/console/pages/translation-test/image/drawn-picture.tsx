import { Button } from 'antd';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { blobOfDataUrl } from '../media/data-url.js';
import { secondsText } from '../../../../shared/channels/health.js';
import { save } from '../../../../shared/api/download.js';
import { useTexts } from '../../../../shared/i18n/texts.js';
import { Icon } from '../../../../shared/ui/icon.js';
import { unitsText } from '../media/units-text.js';
import { drawnName } from './drawn-name.js';
import { PictureSlider } from './picture-slider.js';
import type { AskedPicture, Drawn } from './translate-picture.js';

type DrawnPictureProps = {
  asked: AskedPicture;
  drawn: Drawn;
  seconds: number;
  /** The drawn picture by itself. */
  children: ReactNode;
};

/** The picture that has crossed, what it cost, and where that is written down. */
export function DrawnPicture({ asked, drawn, seconds, children }: DrawnPictureProps) {
  const t = useTexts('image');
  const media = useTexts('media');
  const [comparing, setComparing] = useState(false);
  const keep = (): void => {
    const content = blobOfDataUrl(drawn.image);
    save({ name: drawnName(asked.picture.name, asked.target, content.type), content });
  };
  return (
    <>
      <div className="im-stage">
        {comparing ? <PictureSlider picture={asked.picture} drawn={drawn.image} /> : children}
      </div>
      <div className="tt-foot">
        <span className="num" data-testid="charged">
          {t('found', { n: drawn.blocks.length })}
          {media('charged', { s: secondsText(seconds * 1_000), units: unitsText('image', drawn.charged, media) })}
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
