// The bounds of the token that a caller came with.
import type { GrantBounds } from '../contract/bounds.ts'
import type { Caller } from './handler.ts'

/** What the account lets this agent do at most, as a field; none in a browser, and where nothing is bound. */
export const boundsOf = ({ via }: Pick<Caller, 'via'>): { bounds?: GrantBounds } =>
  'bounds' in via && via.bounds ? { bounds: via.bounds } : {}
