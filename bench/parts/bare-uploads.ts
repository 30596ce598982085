// The limit for uploads: a server that parses the form, writes the file to disk (really: it answers after an fsync, as
// Guildhall does) and hashes it, and does nothing else.
import { createHash } from 'node:crypto'
import { createWriteStream, mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'

const folder = process.argv[2]!
mkdirSync(folder, { recursive: true })
let count = 0

createServer((request, response) => {
  if (request.method !== 'POST') {
    response.end('ready')
    return
  }
  const parser = new Busboy({ headers: request.headers as BusboyHeaders })
  const writing: Promise<void>[] = []
  parser.on('file', (_, stream) => {
    const hash = createHash('sha256')
    stream.on('data', (chunk: Buffer) => hash.update(chunk))
    writing.push(
      pipeline(stream, createWriteStream(join(folder, `${count++}`), { flush: true })).then(
        () => void hash.digest('hex'),
      ),
    )
  })
  parser.on('finish', () => void Promise.all(writing).then(() => response.writeHead(201).end()))
  request.pipe(parser)
}).listen(Number(process.env['PORT']), '127.0.0.1')
