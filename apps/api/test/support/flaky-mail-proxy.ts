import { connect, createServer, type AddressInfo } from 'node:net';

/** A proxy in front of the mail server that can drop its next connections. */
export class FlakyMailProxy {
  /** How many of the next connections to drop. */
  dropsLeft = 0;

  readonly #server = createServer((socket) => {
    if (this.dropsLeft > 0) {
      this.dropsLeft--;
      socket.destroy();
      return;
    }
    const { hostname, port } = new URL(process.env['SMTP_URL'] ?? '');
    const mail = connect(Number(port), hostname);
    for (const end of [socket, mail]) end.on('error', () => undefined);
    socket.pipe(mail).pipe(socket);
  });

  static async start(): Promise<FlakyMailProxy> {
    const proxy = new FlakyMailProxy();
    await new Promise<void>((ready) => proxy.#server.listen(0, '127.0.0.1', ready));
    return proxy;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
  }
}
