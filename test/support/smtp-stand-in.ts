/** A mail server on loopback that stores received mail. */
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface SmtpStandIn {
  readonly url: string;
  readonly received: string[];
  /** Whether all mail is refused temporarily. */
  isDown: boolean;
  /** The recipient who is refused permanently. */
  unknown: string;
  close(): Promise<void>;
}

export async function startSmtpStandIn(): Promise<SmtpStandIn> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onRcptTo({ address }, _session, done) {
      const refusal = Object.assign(new Error("no such user"), { responseCode: 550 });
      done(address === standIn.unknown ? refusal : undefined);
    },
    onData(stream, _session, done) {
      let text = "";
      stream.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      stream.on("end", () => {
        if (!standIn.isDown) standIn.received.push(text);
        done(standIn.isDown ? new Error("try again later") : undefined);
      });
    },
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.server.address() as AddressInfo;
  const standIn: SmtpStandIn = {
    url: `smtp://127.0.0.1:${port}`,
    received: [],
    isDown: false,
    unknown: "",
    close: () => new Promise<void>((done) => server.close(done)),
  };
  return standIn;
}
