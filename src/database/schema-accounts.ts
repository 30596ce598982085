// Tables of credentials: sessions, mailed codes, passkeys, and known browsers.
import type { Role } from '../contract/operation.ts'

export interface SessionTable {
  id: string
  /** SHA-256 of the cookie's value. */
  tokenHash: string
  userId: string
  createdAt: string
  /** A week after its last use, and 90 days after its creation at the latest. */
  expiresAt: string
  /** Known to within a day. */
  seenAt: string
  /** When a password, a passkey or a mailed code was last given in it. */
  authenticatedAt: string
  /** The passkey that was used in it; null without one, and once that passkey is removed. */
  passkeyId: string | null
  /** Browser and system by names of our list, such as "Firefox on Linux"; null when unknown. */
  device: string | null
}

/** What is done to everything of an account, one thing at a time: a reason to be hidden is added or taken away. */
export interface AccountSweepTable {
  userId: string
  /** The reason (content/hiding/rules.ts). */
  bit: number
  /** 2 deletes for good what it hid. */
  isOn: 0 | 1 | 2
  /** The type and the id of the last thing that is done; empty at first. */
  place: string
  done: number
  /** How many things there were at its beginning; null before that. */
  total: number | null
  startedAt: string
  doneAt: string | null
}

/** A browser that signed in to an account before, by a separate cookie that outlives sessions. */
export interface KnownBrowserTable {
  /** SHA-256 of the cookie's value. One browser can know several accounts. */
  tokenHash: string
  userId: string
  createdAt: string
  /** When it last signed in. */
  seenAt: string
}

/** A network from which an account signed in before, by a keyed hash of both. */
export interface KnownNetworkTable {
  networkHash: string
  userId: string
  /** When it last signed in from there. */
  seenAt: string
}

/** The deletion of an account that was asked for. Its row ends with the account, or when the deletion is cancelled. */
export interface AccountDeletionTable {
  userId: string
  /** What becomes of what the account wrote. */
  content: 'delete' | 'anonymise'
  /** The owner, or an admin. */
  requestedBy: 'owner' | 'admin'
  reason: string | null
  requestedAt: string
  eraseAt: string
  /** The step of the erasure that is under way; null until it begins. Then it cannot be cancelled any more. */
  step: string | null
  /** Until when one process works on it. */
  leasedUntil: string
}

/** An export of what an account made: it waits, is ready until it expires, or failed. */
export interface DataExportTable {
  id: string
  userId: string
  requestedAt: string
  readyAt: string | null
  failedAt: string | null
  /** When it is removed; null while it waits. */
  expiresAt: string | null
  /** The archive as an artifact, in hex. */
  sha256: string | null
  /** In bytes. */
  size: number | null
  files: number | null
  attempts: number
  /** Until when one process works on it. */
  leasedUntil: string
}

/** A change of a verified address, while the owner of the old mailbox can undo it. */
export interface EmailChangeTable {
  id: string
  userId: string
  oldEmail: string
  oldVerifiedAt: string
  oldVerifiedBy: 'code' | 'claim' | 'change' | 'external' | null
  /** That the account had then: undoing never leaves it a greater one. */
  role: Role
  /** SHA-256 of the token in the mail to the old address. */
  tokenHash: string
  changedAt: string
  undoUntil: string
}

/** Invitations to sign up, for servers where not every address may. */
export interface SignUpInvitationTable {
  id: string
  email: string
  createdAt: string
  expiresAt: string
}

/** A link that invites: who has it may sign up, and gets its role. */
export interface InvitationLinkTable {
  id: string
  /** Keyed hash of its secret. */
  tokenHash: string
  role: 'member' | 'moderator'
  createdById: string
  createdAt: string
  expiresAt: string
  maxUses: number
  uses: number
  revokedAt: string | null
}

/** An account that used a link. */
export interface InvitationUseTable {
  linkId: string
  userId: string
  usedAt: string
}

export interface AccountsDatabase {
  accountSweep: AccountSweepTable
  session: SessionTable
  knownBrowser: KnownBrowserTable
  knownNetwork: KnownNetworkTable
  signUpInvitation: SignUpInvitationTable
  invitationLink: InvitationLinkTable
  invitationUse: InvitationUseTable
  accountDeletion: AccountDeletionTable
  dataExport: DataExportTable
  emailChange: EmailChangeTable
}
