// Inside the machine of a test: what listens at s3.example (TLS) and mail.example is in the process of the test, behind a socket file.
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'

const work = process.env['WORK'] ?? '.'

const to = (name: string) => (socket: Socket) => {
  const other = connect(join(work, name))
  socket.pipe(other).pipe(socket)
  for (const end of [socket, other]) end.on('error', () => [socket, other].map((one) => one.destroy()))
}

const read = (name: string) => readFileSync(join(work, 'tls', name))
const tls = { key: read('privkey.pem'), cert: read('fullchain.pem') }
const servers = [
  createTlsServer(tls, to('s3.sock')).listen(9000, '127.0.0.1'),
  createServer(to('mail.sock')).listen(587, '127.0.0.1'),
]
await Promise.all(servers.map((server) => new Promise((resolve) => server.once('listening', resolve))))
writeFileSync('/run/relays-ready', '')
