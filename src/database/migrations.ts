// Every migration by its name, in the order in which they run. They are loaded when one is missing: most starts run none.
import type { Migration } from 'kysely/migration'

export const migrations: Record<string, () => Promise<Migration>> = {
  '0001-start': () => import('../../migrations/0001-start.ts'),
  '0002-uuid-votes': () => import('../../migrations/0002-uuid-votes.ts'),
  '0003-ordered-tags': () => import('../../migrations/0003-ordered-tags.ts'),
}

export const migrationNames = (): readonly string[] => Object.keys(migrations)

export async function loadMigrations(): Promise<Record<string, Migration>> {
  const loaded = Object.entries(migrations).map(async ([name, load]) => [name, await load()] as const)
  return Object.fromEntries(await Promise.all(loaded))
}
