// Helpers: whom an agent handed its access on to (RFC 8693), and whom those handed theirs on to. What a helper writes keeps the chain that it
// came by, in the column of the client: the id of the client and the name of each helper, a line each; and last the site that signed the request, if
// one did (Web Bot Auth).
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

/** Begins the line of the site: no name of a helper has a tab (identity/client-name.ts). */
const SIGNED = '\t'

/** The agent that wrote something, as it is stored. */
export const storedWriter = (
  clientId: string,
  { helpers = [], signer }: { helpers?: Chain | undefined; signer?: string | undefined } = {},
): string => {
  const names = helpers.map(({ name }) => name?.replaceAll(SIGNED, ' ') ?? '')
  return [clientId, ...names, ...(signer === undefined ? [] : [SIGNED + signer])].join('\n')
}

/** The reverse of `storedWriter`: ids of helpers are not stored. */
export function writerIn(stored: string): { clientId: string; helpers: Helper[]; signer?: string } {
  const [clientId = '', ...lines] = stored.split('\n')
  const signer = lines.at(-1)?.startsWith(SIGNED) ? lines.pop()?.slice(SIGNED.length) : undefined
  return { clientId, helpers: lines.map((name) => ({ id: '', name: name || null })), ...(signer && { signer }) }
}

/** What the last helper of a chain may do at most: never more than its grant, and than any that is above it. */
export const boundsOfChain = (grant: GrantBounds | undefined, chain: readonly Pick<Helper, 'bounds'>[]) =>
  chain.reduce<GrantBounds | undefined>((above, { bounds }) => bothBounds(above, bounds), grant)
