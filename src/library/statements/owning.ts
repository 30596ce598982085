// Which team a statement names as the owner of an item: the one that holds it at that moment. A hidden team is named nowhere.
import type { Db } from '../../database/schema.ts'
import { findTeamById } from '../teams/queries.ts'
import type { OwningTeam } from './statement.ts'

/** The team as a statement names it; undefined for items without one, and while the team is hidden. */
export async function owningTeam(db: Db, teamId: string | null): Promise<OwningTeam | undefined> {
  if (teamId === null) return undefined
  const team = await findTeamById(db, teamId)
  return team?.hidden === 0 ? { type: 'team', id: team.id, slug: team.slug } : undefined
}
