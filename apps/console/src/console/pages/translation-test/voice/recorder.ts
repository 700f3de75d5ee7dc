import { useEffect, useRef, useState } from 'react';
import { levelOf, LINES } from './sound.js';
import workletUrl from './recorder-worklet.ts?worker&url';

/** Why there is no microphone: no HTTPS, access denied, none found, or in use by another program. */
type NoMicrophone = 'insecure' | 'denied' | 'missing' | 'taken';

type Microphone = { rate: number; close: () => void };
type Ear = { onHeard: (samples: Float32Array<ArrayBuffer>) => void; onLost: () => void };

const NAMES: Readonly<Record<string, NoMicrophone>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
};

/**
 * Opens the microphone; the browser may ask for permission. Mono samples arrive at the device's `rate`:
 * some browsers cannot join a microphone and a context of different rates.
 */
async function openMicrophone({ onHeard, onLost }: Ear): Promise<Microphone | NoMicrophone> {
  if (!isSecureContext) return 'insecure';
  let stream: MediaStream | undefined;
  let context: AudioContext | undefined;
  const close = (): void => {
    stream?.getTracks().forEach((track) => track.stop());
    void context?.close();
  };
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1 } });
    context = new AudioContext();
    await context.audioWorklet.addModule(workletUrl);
    await context.resume();
    const recorder = new AudioWorkletNode(context, 'recorder', { channelCount: 1, channelCountMode: 'explicit' });
    recorder.port.onmessage = ({ data }: MessageEvent<Float32Array<ArrayBuffer>>) => onHeard(data);
    // Some browsers do not run a node without a destination; its output is silent.
    context.createMediaStreamSource(stream).connect(recorder).connect(context.destination);
    for (const track of stream.getTracks()) track.onended = onLost;
    return { rate: context.sampleRate, close };
  } catch (error) {
    close();
    if (!(error instanceof DOMException)) throw error;
    return NAMES[error.name] ?? 'taken';
  }
}

/** Idle, waiting for permission, or recording: the last levels, and the length so far. */
export type Recorder =
  | { status: 'idle'; problem: NoMicrophone | null }
  | { status: 'asking' }
  | { status: 'recording'; levels: readonly number[]; seconds: number };

export type Recorded = { samples: Float32Array<ArrayBuffer>; rate: number };
type Use = { maxSeconds: number; onRecorded: (recorded: Recorded) => void };

/** The duration of a block of samples: a recording stops that long before its limit. */
const MARGIN_SECONDS = 0.2;

const joined = (parts: readonly Float32Array[]): Float32Array<ArrayBuffer> => {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

/** Records from the microphone until stopped or until `maxSeconds`. Leaving the page releases the microphone. */
export function useRecorder({ maxSeconds, onRecorded }: Use) {
  const [recorder, setRecorder] = useState<Recorder>({ status: 'idle', problem: null });
  const microphone = useRef<Microphone>(undefined);
  const parts = useRef<Float32Array[]>([]);
  const left = useRef(false);

  const letGo = (): Microphone | undefined => {
    const open = microphone.current;
    microphone.current = undefined;
    open?.close();
    return open;
  };
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
      microphone.current?.close();
    };
  }, []);

  const stop = (): void => {
    const open = letGo();
    if (!open) return;
    setRecorder({ status: 'idle', problem: null });
    if (parts.current.length > 0) onRecorded({ samples: joined(parts.current), rate: open.rate });
  };
  const hear = (samples: Float32Array<ArrayBuffer>): void => {
    const open = microphone.current;
    if (!open) return;
    parts.current.push(samples);
    const seconds = parts.current.reduce((sum, { length }) => sum + length, 0) / open.rate;
    setRecorder((now) => ({
      status: 'recording',
      levels: [...(now.status === 'recording' ? now.levels : []), levelOf(samples)].slice(-LINES),
      seconds,
    }));
    if (seconds >= maxSeconds - MARGIN_SECONDS) stop();
  };
  const start = async (): Promise<void> => {
    setRecorder({ status: 'asking' });
    parts.current = [];
    const opened = await openMicrophone({ onHeard: hear, onLost: stop });
    if (typeof opened === 'string') setRecorder({ status: 'idle', problem: opened });
    else if (left.current) opened.close();
    else {
      microphone.current = opened;
      setRecorder({ status: 'recording', levels: [], seconds: 0 });
    }
  };
  return {
    recorder,
    start: (): void => void start(),
    stop,
    /** Discards the recording. */
    cancel: (): void => {
      letGo();
      setRecorder({ status: 'idle', problem: null });
    },
  };
}
