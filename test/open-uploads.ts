// Uploads that stay open, for tests of what they hold.
import { setTimeout as sleep } from 'node:timers/promises'
import { encode, contentType as FORM, file } from './multipart.ts'
import { filesOnDisk } from './stored.ts'
import type { Visitor } from './visitor.ts'
import type { World } from './world.ts'

export interface Open {
  answer: Promise<Response>
  send(bytes: number): void
  /** Sends the end of the form. */
  finish(): void
  /** Ends the connection. */
  cutOff(): void
}

/** Begins an upload of a run that says it has `declared` bytes (0: says nothing), and leaves it open. */
export function begin(who: Visitor, orgId: string, declared = 0): Open {
  const [head, tail] = encode([file('files', 'notes.md', 'X')])
    .toString()
    .split('X') as [string, string]
  let controller!: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
    },
  })
  const headers = { 'Content-Type': FORM, ...(declared && { 'Content-Length': String(declared) }) }
  const url = `http://localhost:3000/api/community/orgs/${orgId}/runs`
  const answer = who.send(new Request(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit))
  answer.catch(() => {})
  controller.enqueue(Buffer.from(`${head}x`))
  return {
    answer,
    send: (bytes) => controller.enqueue(Buffer.alloc(bytes, 'x')),
    finish() {
      controller.enqueue(Buffer.from(tail))
      controller.close()
    },
    cutOff: () => controller.error(new Error('cut off')),
  }
}

/** How many uploads are being read. */
export const staged = async (world: World) =>
  (await filesOnDisk(world)).filter((name) => name.startsWith('staging/')).length

/** Waits until so many uploads are read. */
export async function untilStaged(world: World, count: number): Promise<void> {
  while ((await staged(world)) !== count) await sleep(10)
}
