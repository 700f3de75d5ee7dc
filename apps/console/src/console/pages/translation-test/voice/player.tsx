import { useRef, useState } from 'react';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { Icon } from '../../../../shared/ui/icon.js';
import { clockText } from '../media/media-text.js';
import { LINES, type Sound } from './sound.js';

type WaveformProps = {
  /** From 0 to 1; fewer than `LINES` are aligned right. Null: unknown. */
  peaks: readonly number[] | null;
  /** The position, from 0 to 1. */
  played?: number;
};

/** The waveform of a recording. Decorative. */
export function Waveform({ peaks, played = 0 }: WaveformProps) {
  const known = peaks ?? [];
  const lines = [...Array.from({ length: Math.max(0, LINES - known.length) }, () => 0), ...known];
  return (
    <span className="vo-wave" aria-hidden="true">
      {lines.map((peak, line) => (
        <i key={line} style={{ height: `${Math.max(6, peak * 100)}%` }} data-played={line < played * LINES} />
      ))}
    </span>
  );
}

type PlayerProps = { sound: Sound; names: { play: string; seek: string } };

/** Plays a sound; the position can be dragged or moved with the arrow keys. */
export function Player({ sound, names }: PlayerProps) {
  const t = useMessages('voice');
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
      <span className="numeric vo-time">
        {mute ? t('cannotPlay') : seconds === null ? '' : clockText(at > 0 ? at : seconds)}
      </span>
    </div>
  );
}
