// Shared signals (CAEP 1.0), as the rest of the authorization server sees them: those that come, and those that go.
import type { Serve } from '../../request/endpoint.ts'
import type { OAuthContext } from '../oauth-context.ts'
import { signalsEndpoint } from './receiving.ts'

/** The endpoint that takes signals of others. */
export const takeSignals = (parts: OAuthContext): Serve => signalsEndpoint(parts)

/** The streams that receivers manage. */
export { streamEndpoints } from './streams.ts'

/** Pushes what waits on such a stream, once. */
export const sendDelivery = async (parts: OAuthContext, id: string): Promise<void> =>
  (await import('./sending.ts')).sendDelivery(parts, id)

/** Sends a signal that waits, once. */
export const sendSignal = async (parts: OAuthContext, id: string): Promise<void> =>
  (await import('./sending.ts')).sendSignal(parts, id)
