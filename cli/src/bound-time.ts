// How long a server may keep a command waiting.
import type { ClientRequest, IncomingMessage } from 'node:http'
import { BoundError } from '../../client/src/errors.ts'

/** How long a server may take, in seconds. */
export interface Bounds {
  /** Nothing comes for so long; a stream of events says less. */
  silence: number
  quiet: number
  /** A whole answer comes so soon after the request; a file may take longer. */
  answer: number
  file: number
}

/** Ends a request on which nothing comes for too long, or whose answer takes too long. */
export function boundTime(request: ClientRequest, { silence, quiet, answer, file }: Bounds): void {
  let [message, seconds]: [IncomingMessage | undefined, number] = [undefined, silence]
  const end = (reason: string) => (message ?? request).destroy(new BoundError(reason))
  let timer: NodeJS.Timeout | undefined
  const limit = (most: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => end(`The answer took longer than ${most} s`), most * 1000)
  }
  request.setTimeout(silence * 1000)
  request.on('timeout', () => {
    // What waits here to be read is not the silence of the server.
    if (message && message.readableLength >= message.readableHighWaterMark) request.setTimeout(seconds * 1000)
    else end(`Nothing came for ${seconds} s`)
  })
  // What is sent takes as long as it takes.
  request.once('finish', () => {
    if (!message) limit(answer)
  })
  request.once('close', () => clearTimeout(timer))
  request.once('response', (response: IncomingMessage) => {
    message = response
    const type = response.headers['content-type'] ?? ''
    const isEvents = type.startsWith('text/event-stream')
    seconds = isEvents ? quiet : silence
    request.setTimeout(seconds * 1000)
    if (isEvents) clearTimeout(timer)
    else if (!/json/.test(type)) limit(file)
    response.once('close', () => clearTimeout(timer))
  })
}
