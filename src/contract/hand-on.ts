// Helpers: whom an agent handed its access on to (RFC 8693), and whom those handed theirs on to. What a helper writes keeps the chain that it
// came by, in the column of the client: the id of the client and the name of each helper, a line each.
import { bothBounds, type GrantBounds } from './bounds.ts'

/** An agent hands on to a helper, and so on: so many helpers are in a chain at most. */
export const MAX_DEPTH = 5

/** One helper of a chain. */
export interface Helper {
  id: string
  /** What the agent that handed on calls it: its own word. */
  name: string | null
  /** What it was given at most, beside what binds all above it. */
  bounds?: GrantBounds | undefined
}

/** A chain of helpers, the one that acts last. */
export type Chain = readonly Pick<Helper, 'name'>[]

/** The agent that wrote something, as it is stored. */
export const storedWriter = (clientId: string, helpers: Chain = []): string =>
  [clientId, ...helpers.map(({ name }) => name ?? '')].join('\n')

/** The reverse of `storedWriter`: ids of helpers are not stored. */
export function writerIn(stored: string): { clientId: string; helpers: Helper[] } {
  const [clientId = '', ...names] = stored.split('\n')
  return { clientId, helpers: names.map((name) => ({ id: '', name: name || null })) }
}

/** What the last helper of a chain may do at most: never more than its grant, and than any that is above it. */
export const boundsOfChain = (grant: GrantBounds | undefined, chain: readonly Pick<Helper, 'bounds'>[]) =>
  chain.reduce<GrantBounds | undefined>((above, { bounds }) => bothBounds(above, bounds), grant)
