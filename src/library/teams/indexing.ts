// Teams in the search: those that everybody sees, by name, slug and description.
import type { Transaction } from '../../database/schema.ts'
import { changeSearch } from '../../search/indexing.ts'
import { teamDocument } from '../../search/things.ts'
import { findTeamById, type StoredTeam } from './queries.ts'

/** Finds a team as it is stored now, or not any more; it comes last in its transaction. */
export async function indexTeam(db: Transaction, id: string): Promise<void> {
  const team = await findTeamById(db, id)
  await changeSearch(db, isShown(team) ? { put: [teamDocument(team)] } : { removed: [id] })
}

const isShown = (team: StoredTeam | undefined): team is StoredTeam => team?.hidden === 0
