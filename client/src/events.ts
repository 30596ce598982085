// Server-sent events as an async iterator (HTML, 9.2). It ends when the server ends the stream.
import { chunksOf } from './chunks.ts'
import { brokenOff } from './fetching.ts'

export interface ServerEvent {
  /** `message` unless the server names it. */
  event: string
  data: string
  id: string | undefined
}

/** The events of a stream, as they come. A comment is none. */
export async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<ServerEvent, void, undefined> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunksOf(body, (error) => brokenOff(error, signal))) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split(/\r\n\r\n|\n\n|\r\r/)
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = eventOf(block)
      if (event) yield event
    }
  }
}

function eventOf(block: string): ServerEvent | undefined {
  const fields = block.split(/\r\n|\n|\r/).flatMap((line) => {
    const [, name, value] = line.match(/^([^:]+):? ?(.*)$/) ?? []
    return name === undefined ? [] : [{ name, value: value ?? '' }]
  })
  const last = (name: string) => fields.filter((field) => field.name === name).at(-1)?.value
  const data = fields.filter(({ name }) => name === 'data').map(({ value }) => value)
  if (data.length === 0) return undefined
  return { event: last('event') || 'message', data: data.join('\n'), id: last('id') }
}
