import { useRef, useState } from 'react';
import { useTexts } from '../../../../shared/i18n/texts.js';
import { Icon } from '../../../../shared/ui/icon.js';
import { clockText } from './clock-text.js';
import type { Sound } from './sound.js';
import { Waveform } from './waveform.js';

type PlayerProps = { sound: Sound; names: { play: string; seek: string } };

/** Plays a sound; where it is can be dragged, or moved with the arrow keys. */
export function Player({ sound, names }: PlayerProps) {
  const t = useTexts('voice');
  const audio = useRef<HTMLAudioElement>(null);
  const [playing, setPlaying] = useState(false);
  const [at, setAt] = useState(0);
  const [mute, setMute] = useState(false);
  const { url, seconds, peaks } = sound;
  const toggle = (): void => {
    if (playing) audio.current?.pause();
    else audio.current?.play().catch(() => setMute(true));
  };
  return (
    <div className="vo-rec">
      <audio
        ref={audio}
        src={url}
        preload="auto"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setAt(0)}
        onTimeUpdate={(event) => !event.currentTarget.ended && setAt(event.currentTarget.currentTime)}
      />
      <button
        type="button"
        className="vo-button"
        aria-label={playing ? t('pause') : names.play}
        title={mute ? t('cannotPlay') : undefined}
        disabled={mute}
        onClick={toggle}
      >
        <Icon name={playing ? 'pause' : 'speak'} />
      </button>
      <span className="vo-track">
        <Waveform peaks={peaks} played={seconds ? at / seconds : 0} />
        {seconds !== null && (
          <input
            type="range"
            min={0}
            max={seconds}
            step={0.1}
            value={Math.min(at, seconds)}
            aria-label={names.seek}
            aria-valuetext={clockText(at)}
            onChange={(event) => {
              const to = Number(event.target.value);
              setAt(to);
              if (audio.current) audio.current.currentTime = to;
            }}
          />
        )}
      </span>
      <span className="num vo-time">
        {mute ? t('cannotPlay') : seconds === null ? '' : clockText(at > 0 ? at : seconds)}
      </span>
    </div>
  );
}
