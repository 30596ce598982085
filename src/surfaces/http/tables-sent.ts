// Tables on their way to clients. A large one is held until it is sent, and a client may read as slowly as it likes: all of them together, and those of
// one network, have a limit.
import { sharingNetworkOf } from '../../budgets/network.ts'
import { Problem } from '../../contract/problem.ts'
import { shareOfNetwork } from '../../runtime/network-share.ts'

/** Of the tables that are being sent. A network has a tenth of it: one of the largest tables, and many others. */
export const MAX_SENT_BYTES = 256 * 1024 * 1024
/** As large as a page of JSON may be; what is smaller is always sent. */
const SMALL_BYTES = 1024 * 1024
const PIECE_BYTES = 64 * 1024
const RETRY_AFTER_SECONDS = 10

export class TablesSent {
  #bytes = 0
  readonly #ofNetworks = new Map<string, number>()

  /** Throws `unavailable` while no further large table may be read for an address. */
  requireRoom(address: string): void {
    const network = sharingNetworkOf(address)
    const isFull = this.#bytes >= MAX_SENT_BYTES
    const isNetworkFull = network !== undefined && this.#of(network) >= shareOfNetwork(MAX_SENT_BYTES)
    if (!isFull && !isNetworkFull) return
    const message = 'Too many large tables are being sent; try again in a few seconds'
    throw new Problem('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }

  /** The bytes of a table as the body of a response, which counts until it was read or given up. */
  bodyOf(bytes: Uint8Array<ArrayBuffer>, address: string): BodyInit {
    if (bytes.byteLength <= SMALL_BYTES) return bytes
    const network = sharingNetworkOf(address)
    this.#count(network, bytes.byteLength)
    let isCounted = true
    // A client may hang up between the last piece and its end: both report that.
    const release = () => {
      if (isCounted) this.#count(network, -bytes.byteLength)
      isCounted = false
    }
    let sent = 0
    return new ReadableStream({
      pull(controller) {
        controller.enqueue(bytes.subarray(sent, sent + PIECE_BYTES))
        sent += PIECE_BYTES
        if (sent < bytes.byteLength) return
        controller.close()
        release()
      },
      cancel: release,
    })
  }

  #of(network: string): number {
    return this.#ofNetworks.get(network) ?? 0
  }

  #count(network: string | undefined, change: number): void {
    this.#bytes += change
    if (network === undefined) return
    const bytes = this.#of(network) + change
    if (bytes > 0) this.#ofNetworks.set(network, bytes)
    else this.#ofNetworks.delete(network)
  }
}
