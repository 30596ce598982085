// Rules of personal access tokens, without input or output.
import type { Scope } from '../../contract/operation.ts'
import { allScopes, scopes } from '../../contract/scopes.ts'

export const MAX_TOKENS = 20
export const USUAL_DAYS = 30
export const MAX_DAYS = 366

/** The client of the grants of personal tokens: no client can have this id. */
export const PERSONAL_CLIENT = 'urn:guildhall:personal-token'
/** What is shown of it to others. The name that its owner gave a token is for its owner alone. */
export const PERSONAL_CLIENT_NAME = 'Personal access token'

/** A use is noted when the last one was noted longer ago than this: reads write nothing in between. */
export const USE_SECONDS = 3_600

/** All scopes but that of refresh tokens: a personal token is renewed by nothing. */
export const personalScopes: readonly Scope[] = allScopes.filter((name) => scopes[name].kind !== 'stay')
