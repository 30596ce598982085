// The limit for anything on node:http: a server that does nothing but send the same bytes, with the same headers.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { headers, body } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as { headers: string[]; body: string }
const bytes = Buffer.from(body)
createServer((_, response) => {
  response.writeHead(200, headers)
  response.end(bytes)
}).listen(Number(process.env['PORT']), '127.0.0.1')
