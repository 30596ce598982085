// Reading a stream chunk by chunk.

/** The chunks of a stream; not every browser can iterate over one. `failed` turns an error of the stream into the one to throw. */
export async function* chunksOf(
  stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
  failed: (error: unknown) => unknown = (error) => error,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (!('getReader' in stream)) return yield* stream
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error) => {
        throw failed(error)
      })
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
