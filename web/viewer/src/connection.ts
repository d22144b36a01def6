// Where hello, topologies and frames come from: a server over a WebSocket, or the page itself (exported.ts).
//
//     const link = new ServerLink(url, events);  link.send({ do: "frame", pane: 0, index: 3 });
import { Colliders, colliders_of, decode_block, Frame, frame_of, Hello, Json, Topology, topology_of } from "./messages";

export interface LinkEvents {
  hello(hello: Hello): void;
  colliders(colliders: Colliders): void;
  topology(topology: Topology): void;
  frame(frame: Frame): void;
  text(message: Json): void; // state, note, residual, capture, ...
  error(text: string): void;
  lost(reason: string): void; // the connection is gone; it can be made again
  fatal(text: string): void;
}

export interface Link {
  readonly local: boolean; // no server behind it
  send(message: Json): void;
  close(): void;
}

export const protocol = 1;

export class ServerLink implements Link {
  readonly local = false;
  private readonly socket_: WebSocket;
  private readonly topologies_ = new Map<number, Topology>(); // the newest of each pane
  private closed_ = false;

  constructor(
    url: string,
    private readonly events_: LinkEvents,
  ) {
    this.socket_ = new WebSocket(url);
    this.socket_.binaryType = "arraybuffer";
    this.socket_.onmessage = ({ data }) => this.receive(data as string | ArrayBuffer);
    this.socket_.onclose = ({ code, reason }) => {
      if (!this.closed_) this.events_.lost(reason || (code === 1006 ? "the server is gone" : `code ${code}`));
      this.closed_ = true;
    };
  }

  send(message: Json): void {
    if (this.socket_.readyState === WebSocket.OPEN) this.socket_.send(JSON.stringify(message));
  }

  send_binary(buffer: ArrayBuffer): void {
    this.socket_.send(buffer);
  }

  close(): void {
    this.closed_ = true;
    this.socket_.close();
  }

  private receive(data: string | ArrayBuffer): void {
    try {
      if (typeof data === "string") this.receive_text(JSON.parse(data) as Json);
      else this.receive_binary(data);
    } catch (error) {
      this.events_.error(`A message that this page cannot read: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private receive_text(message: Json): void {
    if (message.say === "hello") {
      if (message.protocol !== protocol) {
        this.close();
        this.events_.fatal(
          `The server speaks protocol ${String(message.protocol)}, this page ${protocol}. Reload the page.`,
        );
        return;
      }
      this.events_.hello(message as unknown as Hello);
    } else if (message.say === "error") {
      this.events_.error(String(message.text));
    } else {
      this.events_.text(message);
    }
  }

  private receive_binary(data: ArrayBuffer): void {
    const begun = performance.now();
    const block = decode_block(data);
    if (block.header.say === "topology") {
      const topology = topology_of(block);
      this.topologies_.set(topology.pane, topology);
      this.events_.topology(topology);
    } else if (block.header.say === "colliders") {
      this.events_.colliders(colliders_of(block));
    } else if (block.header.say === "frame") {
      const topology = this.topologies_.get(Number(block.header.pane ?? 0));
      if (!topology || topology.generation !== block.header.generation) return; // overtaken by a newer topology
      const frame = frame_of(block, topology);
      frame.decode_ms = performance.now() - begun;
      this.events_.frame(frame);
    }
  }
}
