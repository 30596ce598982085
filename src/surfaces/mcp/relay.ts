// A stream of events on its way to a reader who may be slow: it counts what was taken, and is cut off from outside.

/** A comment, which keeps the connection alive (HTML, Server-sent events, 9.2.6). */
const COMMENT = ':'.charCodeAt(0)

export interface Relay {
  stream: ReadableStream<Uint8Array>
  /** How many events the reader has taken. */
  taken(): number
  /** Ends the connection at once, with what is not sent yet. */
  cut(): void
}

/** Passes on each event of `events` when the reader asks for it; `onEnd` is called once, however it ends. */
export function relay(events: ReadableStream<Uint8Array>, onEnd: () => void): Relay {
  const reader = events.getReader()
  let taken = 0
  let isOver = false
  let cut = () => {}
  const end = () => {
    if (!isOver) onEnd()
    isOver = true
  }
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        cut = () => {
          if (isOver) return
          end()
          controller.error(new Error('The reader takes too little'))
          reader.cancel().catch(() => {})
        }
      },
      async pull(controller) {
        const { value, done } = await reader.read()
        if (isOver) return
        if (done) {
          end()
          controller.close()
          return
        }
        if (value[0] !== COMMENT) taken++
        controller.enqueue(value)
      },
      async cancel() {
        end()
        await reader.cancel()
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, taken: () => taken, cut: () => cut() }
}
