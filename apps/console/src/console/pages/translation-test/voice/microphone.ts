import workletUrl from './recorder-worklet.ts?worker&url';

/** Why there is nothing to hear: a page without HTTPS has no microphone, it was not allowed, there is none, or another program has it. */
export type NoMicrophone = 'insecure' | 'denied' | 'missing' | 'taken';

export type Microphone = { rate: number; close: () => void };
type Ear = { onHeard: (samples: Float32Array<ArrayBuffer>) => void; onLost: () => void };

const NAMES: Readonly<Record<string, NoMicrophone>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'missing',
  OverconstrainedError: 'missing',
};

/**
 * Opens the microphone, asking the person when the browser wants that. `rate` samples a second, mono, come in the rate of the device:
 * some browsers cannot join a microphone and a context of different rates.
 */
export async function openMicrophone({ onHeard, onLost }: Ear): Promise<Microphone | NoMicrophone> {
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
    // Not connected to a way out, some browsers would not run it; it says nothing there.
    context.createMediaStreamSource(stream).connect(recorder).connect(context.destination);
    for (const track of stream.getTracks()) track.onended = onLost;
    return { rate: context.sampleRate, close };
  } catch (error) {
    close();
    if (!(error instanceof DOMException)) throw error;
    return NAMES[error.name] ?? 'taken';
  }
}
