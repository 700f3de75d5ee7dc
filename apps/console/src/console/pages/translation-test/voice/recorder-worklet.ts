/** Runs in the audio thread: sends the microphone's samples to the page, several blocks at a time. */
declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

/** Frames per message: about 23 messages a second, enough for a level meter. */
const FRAMES = 2048;

class Recorder extends AudioWorkletProcessor {
  #heard = new Float32Array(FRAMES);
  #length = 0;

  process([input]: readonly (readonly Float32Array[])[]): boolean {
    const [channel] = input ?? [];
    if (!channel) return true;
    if (this.#length + channel.length > FRAMES) {
      const full = this.#heard.subarray(0, this.#length);
      this.port.postMessage(full.slice());
      this.#length = 0;
    }
    this.#heard.set(channel, this.#length);
    this.#length += channel.length;
    return true;
  }
}

registerProcessor('recorder', Recorder);

export {};
