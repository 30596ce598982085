// A request to the endpoint while its calls are made.
import type { Caller } from './call.ts'
import type { Challenge } from './challenge.ts'

/** A request and, if a call in it turns out to need a credential, the challenge that is sent in place of an answer. */
export class Exchange {
  readonly caller: Caller
  challenge: Challenge | undefined

  constructor(caller: Caller) {
    this.caller = caller
  }
}
