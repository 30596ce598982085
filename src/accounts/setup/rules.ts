// Whether the set-up is open, and with which token (behaviour.md, section 5).
import { Problem } from '../../contract/problem.ts'
import { sameHash, sha256 } from '../../runtime/hash.ts'

export interface SetupState {
  /** undefined in a database from before. */
  row: { tokenHash: string | null; doneAt: string | null } | undefined
  adminEmails: readonly string[]
  hasAccounts: boolean
}

/** It is open in a database that was new with it, while there is no account and the operator named no admins. */
export const isOpen = ({ row, adminEmails, hasAccounts }: SetupState): boolean =>
  row !== undefined && row.doneAt === null && adminEmails.length === 0 && !hasAccounts

/** Throws unless it is open, and the token is that of the newest link. */
export function requireToken(state: SetupState, token: string): void {
  if (!isOpen(state)) throw new Problem('conflict', 'This server is set up already, or has an account; sign in instead')
  const hash = state.row?.tokenHash ?? null
  if (hash === null || !sameHash(hash, sha256(token)))
    throw new Problem(
      'forbidden',
      'This link is not good, or no longer; use the one that the server printed at its last start',
    )
}
