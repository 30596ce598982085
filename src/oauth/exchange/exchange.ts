// Tokens that are handed on, as the rest of the authorization server sees them.
import { updateTokenUse } from '../../identity/grant-life-queries.ts'
import type { Dependencies } from '../../request/handler.ts'
import { outageOf } from '../../runtime/outage.ts'
import type { exchangeToken as exchange } from './exchanging.ts'

// When the tokens of helpers were last used, for their account to see: once a minute each, and no request waits for it.

const MAX_KNOWN = 20_000

export class HelperUse {
  /** What was noted in this minute, by this process. */
  #noted = new Set<string>()
  #minute = ''

  note({ db, log }: Pick<Dependencies, 'db' | 'log'>, hash: string, now: string): void {
    const minute = now.slice(0, 16)
    if (minute !== this.#minute || this.#noted.size >= MAX_KNOWN) {
      this.#noted = new Set()
      this.#minute = minute
    }
    if (this.#noted.has(hash)) return
    this.#noted.add(hash)
    updateTokenUse(db, { hash, now, before: `${minute}:00.000Z` }).catch((error: unknown) => {
      this.#noted.delete(hash)
      // A read does not wait for a disk that refuses writes.
      if (!outageOf(error)) log.error({ err: error }, 'the use of a helper was not noted')
    })
  }
}

export {
  type Actor,
  actorOf,
  boundsOfToken,
  deleteHelper,
  deleteWithHandedOn,
  handedOnIn,
  listHandedOn,
  type OpenToken,
} from './queries.ts'

/** The response to an exchange. */
export const exchangeToken = async (...given: Parameters<typeof exchange>): ReturnType<typeof exchange> =>
  (await import('./exchanging.ts')).exchangeToken(...given)
