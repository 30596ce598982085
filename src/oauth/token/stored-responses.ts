// The response to a refresh, stored for a client that did not receive it. It is encrypted under a key derived from the refresh token,
// so the database alone reveals nothing.
import { hash } from 'node:crypto'
import { sha256 } from '../../runtime/hash.ts'
import * as platform from '../../runtime/seal.ts'

/** A token is 256 random bits: one hash of it makes a key, and the label keeps that key apart from the hash that is stored. */
const keyOf = (token: string) => hash('sha256', `guildhall refresh answer\n${token}`, 'buffer')

export const seal = (token: string, answer: string): string => platform.seal(keyOf(token), answer)

export const unseal = (token: string, sealed: string): string => platform.unseal(keyOf(token), sealed)

interface RefreshRequest {
  clientId: string
  resource: string
  scope: string
  /** The thumbprint of the key that the request proved, if it proved one (RFC 9449). */
  key: string | undefined
}

/** A retry must match in all of these: client, resource, scope, and the key if one was used. */
export const requestKey = ({ clientId, resource, scope, key }: RefreshRequest): string =>
  sha256([clientId, resource, scope, ...(key === undefined ? [] : [key])].join('\n'))
