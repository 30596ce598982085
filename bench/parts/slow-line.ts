// A line of 100 Mbit/s to a server on this machine: what comes from it passes in pieces, each when its time has come.
import { connect, createServer, type Socket } from 'node:net'

const BYTES_PER_MILLISECOND = 12_500
const PIECE_BYTES = 16_384

const [port, target] = process.argv.slice(2).map(Number)

/** Sends what `from` gives at the speed of the line. */
async function pass(from: Socket, to: Socket): Promise<void> {
  let freeAt = performance.now()
  for await (const chunk of from) {
    const bytes = chunk as Buffer
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const piece = bytes.subarray(at, at + PIECE_BYTES)
      freeAt = Math.max(freeAt, performance.now()) + piece.length / BYTES_PER_MILLISECOND
      to.write(piece)
      const ahead = freeAt - performance.now()
      // Timers have a millisecond at least: what is due within two goes at once, and the next piece pays for it.
      if (ahead > 2) await new Promise((resolve) => setTimeout(resolve, ahead))
    }
  }
  to.end()
}

createServer((client) => {
  const server = connect(target!, '127.0.0.1')
  client.pipe(server)
  for (const socket of [client, server])
    socket.once('error', () => [client, server].forEach((one) => void one.destroy()))
  client.once('close', () => server.destroy())
  void pass(server, client).catch(() => client.destroy())
}).listen(port, '127.0.0.1')
