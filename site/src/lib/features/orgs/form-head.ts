// Remembers the first bytes of a multipart form while it streams past, so that the page can show the text fields again when the files
// are refused.
const MAX_BYTES = 4096

export class FormHead {
  #head = ''
  readonly #decoder = new TextDecoder()

  readonly stream = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      const room = MAX_BYTES - this.#head.length
      if (room > 0) this.#head += this.#decoder.decode(chunk.subarray(0, room), { stream: true })
      controller.enqueue(chunk)
    },
  })

  /** The value of a text field before the files; '' if there is none. */
  field(name: string): string {
    const part = this.#head.split(`name="${name}"\r\n\r\n`)[1]
    const end = part?.indexOf('\r\n--') ?? -1
    return part && end >= 0 ? part.slice(0, end) : ''
  }
}
