// The scopes, with the description of each for the consent page (interface.md, section 5).
import type { Scope } from './operation.ts'
import { keysOf } from './records.ts'

export interface ScopeWords {
  kind: 'identity' | 'read' | 'write' | 'stay'
  words: string
}

export const scopes: Readonly<Record<Scope, ScopeWords>> = {
  openid: { kind: 'identity', words: 'Know which account is yours' },
  profile: { kind: 'identity', words: 'See your name, username and picture' },
  email: { kind: 'identity', words: 'See your email address' },
  offline_access: { kind: 'stay', words: 'Keep access until you revoke it' },
  'community:read': { kind: 'read', words: 'Read the community as you' },
  'community:write': {
    kind: 'write',
    words: 'Post, comment, vote and change things in the community as you',
  },
  'library:read': { kind: 'read', words: 'See your private library items, and download' },
  'library:write': { kind: 'write', words: 'Publish, change and delete library items as you' },
}

export const allScopes = keysOf(scopes)

/** Those that operations of the API need. */
export const apiScopes = allScopes.filter((scope) => scope.includes(':'))

export const isScope = (name: string): name is Scope => Object.hasOwn(scopes, name)

/** The names in a scope parameter (RFC 6749, 3.3), each once. */
export const scopeNames = (scope: string): string[] => [...new Set(scope.split(' ').filter(Boolean))]
