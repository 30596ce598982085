// Artifacts for uploads, and a client for them that costs next to nothing.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { zip } from '../../test/corpus/zip-writer.ts'
import { cookie } from './fill-accounts.ts'
import type { RunningServer } from './load.ts'

const noise = (length: number, seed: number) => {
  const bytes = Buffer.alloc(length)
  for (let at = 0, state = seed; at < length; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    bytes.writeInt32LE(state, at)
  }
  return bytes
}

/** A sound automation of this many bytes and a little more. */
export function automationOf(bytes: number, seed: number): Buffer {
  const manifest = {
    schema: 'monoagent.automation/v1',
    id: `bench-${seed}`,
    name: 'Bench',
    version: '1.0.0',
    actions: [],
  }
  return zip([
    { name: 'automation.json', data: JSON.stringify(manifest) },
    { name: 'a.bin', data: noise(bytes / 2, seed), method: 0 },
    { name: 'b.bin', data: noise(bytes / 2, ~seed), method: 0 },
  ])
}

/** Publishes an artifact: sends the form as it is, on a connection of its own, and resolves with the response. */
export async function upload(server: RunningServer, bytes: Buffer, by = cookie): Promise<string> {
  const part = (name: string, more: string) => `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
  const opening = Buffer.from(`${part('kind', '')}automation\r\n${part('file', '; filename="bench.mpkg"')}`)
  const closing = Buffer.from('\r\n--b--\r\n')
  const length = opening.length + bytes.length + closing.length
  const headers = { cookie: by, 'content-type': 'multipart/form-data; boundary=b', 'content-length': length }
  const sending = request(`${server.url}/api/library/items`, { method: 'POST', headers, agent: false })
  for (const piece of [opening, bytes]) sending.write(piece)
  sending.end(closing)
  const [answer] = (await once(sending, 'response')) as [IncomingMessage]
  const answered = await text(answer)
  if (answer.statusCode !== 201) throw new Error(`Answered ${answer.statusCode}: ${answered}`)
  return answered
}
