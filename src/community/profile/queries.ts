// Profiles as they are stored: what an account says of itself beside its name.

import { keysOf } from '../../contract/records.ts'
import type { Db, ProfileTable, Transaction } from '../../database/schema.ts'
import { parseJson } from '../../runtime/untyped.ts'
import type { Profile } from './contract.ts'

type Details = Omit<Profile, 'name'>

export async function upsertProfile(db: Transaction, userId: string, { tags, ...details }: Details): Promise<void> {
  const row: ProfileTable = { userId, ...details, tags: JSON.stringify(tags) }
  await db
    .insertInto('profile')
    .values(row)
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(row))
    .execute()
}

const empty: Details = {
  tagline: null,
  jobTitle: null,
  company: null,
  tags: [],
  githubUrl: null,
  twitterUrl: null,
  linkedinUrl: null,
  websiteUrl: null,
}

/** The details of an account's profile; empty ones when it never said anything. */
export async function readDetails(db: Db, userId: string): Promise<Details> {
  const row = await db.selectFrom('profile').select(keysOf(empty)).where('userId', '=', userId).executeTakeFirst()
  return row ? { ...row, tags: parseJson<string[]>(row.tags) } : empty
}
