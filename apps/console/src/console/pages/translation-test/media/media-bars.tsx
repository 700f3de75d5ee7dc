import type { RefSelectProps } from 'antd';
import type { Ref } from 'react';
import { Link } from 'react-router';
import { useTexts } from '../../../../shared/i18n/texts.js';
import { SourceBar } from '../language-bars.js';
import { LanguageSelect } from '../language-select.js';
import type { MediaDesk } from './use-media-desk.js';

type MediaBarsProps = {
  desk: MediaDesk;
  targetLabel: string;
  ref: Ref<RefSelectProps>;
};

/** From which language into which, and through whose channel. */
export function MediaBars({ desk, targetLabel, ref }: MediaBarsProps) {
  const t = useTexts('media');
  const { direction, setDirection, targets, channel, payer } = desk;
  return (
    <>
      <SourceBar ref={ref} desk={desk} detected={null} onTurn={setDirection} onSwap={setDirection} />
      <div className="tt-bar tt-bar-target">
        <LanguageSelect
          label={targetLabel}
          value={direction.target}
          groups={targets}
          onChange={(target) => setDirection({ ...direction, target })}
        />
        <span className="tt-channel">
          <span>{t('through', { name: channel.name })}</span>
          {payer.own.main && (
            <Link className="link" to="/UserCenterIndex?channel=change">
              {t('change')}
            </Link>
          )}
        </span>
      </div>
    </>
  );
}
