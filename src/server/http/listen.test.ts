import { createServer } from "node:http";
import { expect, test, vi } from "vitest";
import { listen } from "./listen.ts";

function refusing(code: string, message: string) {
  const server = createServer();
  vi.spyOn(server, "listen").mockImplementation(() => {
    server.emit("error", Object.assign(new Error(message), { code, syscall: "listen" }));
    return server;
  });
  return server;
}

test.each([
  ["EADDRINUSE", /^Port 80 of 127\.0\.0\.1 is in use\. Stop what uses it, or set PORT\.$/],
  ["EACCES", /^Port 80 of 127\.0\.0\.1 is not open to this user\. Set PORT to 1024 or more/],
  ["EADDRNOTAVAIL", /port 80: no\. Set HOST to an address of this machine\.$/],
  ["EAI_AGAIN", /port 80: no\. Set HOST to an address of this machine\.$/],
])("%s is refused with what to do", async (code, sentence) => {
  const started = listen(refusing(code, "no"), { HOST: "127.0.0.1", PORT: 80 });
  await expect(started).rejects.toThrow(sentence);
});
