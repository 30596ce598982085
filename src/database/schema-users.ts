// The data model of accounts themselves; schema.ts has the rules for all of it.
import type { Generated } from 'kysely'
import type { Role } from '../contract/operation.ts'

/** Accounts. A row is a person (or an agent's owner); only the owning slice may return its data. */
export interface UserTable {
  id: string
  /** Lower case, unique. */
  email: string
  /** When the owner verified the mailbox; null while the address is unverified. */
  emailVerifiedAt: string | null
  /** The method of verification: a mailed code of the site; or an agent's claim, a change of address or an external provider, which give no role. null for older rows. */
  emailVerifiedBy: 'code' | 'claim' | 'change' | 'external' | null
  name: string | null
  username: string | null
  /** The username in lower case; unique. */
  usernameKey: string | null
  role: Role
  passwordHash: string | null
  blockedAt: string | null
  avatarUpdatedAt: string | null
  /** When the account will be erased; null unless its deletion was asked for. Until then its sessions can only cancel that. */
  deletionAt: Generated<string | null>
  /** Of the picture's bytes, in hex; null for one from before there was this column. */
  avatarSha256: Generated<string | null>
  /** Of its pages and mails, by its own choice; null leaves pages to the browser. */
  language: Generated<string | null>
  /** Every credential from before this moment has ended (identity/credentials.ts); null where none was ended so. */
  credentialsValidFrom: Generated<string | null>
  /** JSON: the issuer and the groups of the last sign-in at an external provider; null where it named none. */
  externalGroups: Generated<string | null>
  /** The level of trust in it (contract/trust.ts); 0 until it was weighed. */
  trust: Generated<number>
  /** When that was weighed last; '' for never. */
  trustAt: Generated<string>
  createdAt: string
  updatedAt: string
}

/** Profile fields besides the name. No row is an empty profile. */
export interface ProfileTable {
  userId: string
  tagline: string | null
  jobTitle: string | null
  company: string | null
  /** A JSON array. */
  tags: string
  githubUrl: string | null
  twitterUrl: string | null
  linkedinUrl: string | null
  websiteUrl: string | null
}

export interface UsersDatabase {
  user: UserTable
  profile: ProfileTable
}
