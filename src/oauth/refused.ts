// A refusal out of a transaction: all that was done in it is undone, and the refusal is the response.
import type { EndpointResponse } from '../request/endpoint.ts'
import { protocolError } from './area.ts'

export class Refused extends Error {
  readonly reply: EndpointResponse

  constructor(reply: EndpointResponse) {
    super('refused')
    this.reply = reply
  }
}

/** An error of the protocol, to be thrown (RFC 6749, 5.2). */
export const refusal = (error: string, description: string): Refused =>
  new Refused(protocolError(400, error, description))

/** The response of `run`, also when it is refused. */
export async function orRefused(run: () => Promise<EndpointResponse>): Promise<EndpointResponse> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Refused) return error.reply
    throw error
  }
}
