// What uploads cost: memory while eight artifacts of 20 MB arrive at once, throughput, and memory when idle again.
// Run: node bench/uploads.ts

import './parts/either-engine.ts'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { readMultipart } from '../src/storage/multipart.ts'
import { openBlobs } from '../src/storage/open-blobs.ts'

const [uploads, bytes, rounds] = [8, 20_000_000, 5]
const megabytes = () => Math.round(process.memoryUsage.rss() / 1e6)

async function serveUploads(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-bench-'))
  const { artifacts } = await openBlobs(`file:${directory}`)
  const limits = { files: 1, fileSize: bytes, fields: 0, fieldSize: 0 }
  let highest = 0
  setInterval(() => (highest = Math.max(highest, megabytes())), 10).unref()
  const server = createServer(async (incoming, response) => {
    const contentType = incoming.headers['content-type']
    const onFile = async (_: string, stream: Readable) =>
      artifacts.commit(await artifacts.stage(stream, { maxBytes: bytes }))
    const status = await readMultipart(incoming, { contentType, limits, onFile }).then(
      () => 201,
      () => 400,
    )
    response.writeHead(status).end()
  })
  server.listen(0, '127.0.0.1', () =>
    process.send?.({ port: (server.address() as AddressInfo).port, idle: megabytes() }),
  )
  process.on('message', async () => {
    process.send?.({ highest, after: megabytes() })
    await rm(directory, { recursive: true })
    process.exit()
  })
}

function* form(seed: number) {
  yield '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
  for (let left = bytes; left > 0; left -= 50_000) yield Buffer.alloc(50_000, `${seed}${left}`)
  yield '\r\n--b--\r\n'
}

async function upload(port: number, seed: number): Promise<void> {
  const client = request({ port, method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=b' } })
  Readable.from(form(seed)).pipe(client)
  const [response] = await once(client, 'response')
  response.resume()
  if (response.statusCode !== 201) throw new Error(`Answered ${response.statusCode}`)
}

if (process.send) await serveUploads()
else {
  const server = fork(import.meta.filename)
  const [{ port, idle }] = await once(server, 'message')
  const start = performance.now()
  for (let round = 0; round < rounds; round++) {
    await Promise.all(Array.from({ length: uploads }, (_, n) => upload(port, round * uploads + n)))
  }
  const seconds = (performance.now() - start) / 1000
  server.send('end')
  const [{ highest, after }] = await once(server, 'message')
  const speed = Math.round((rounds * uploads * bytes) / 1e6 / seconds)
  console.log(
    `${uploads} x ${bytes / 1e6} MB at once: ${highest} MB resident at most (${idle} before, ${after} after), ${speed} MB/s`,
  )
}
