// How the database and the stored files grow in a month of a community, by the clock of the demo: eight weeks of its people, as a share of
// a thousand members and a month. They are busier than most: all of them write, and none only reads.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { readConfig } from '../src/config/config.ts'
import { fill } from '../src/demo/demo.ts'
import { findDatabaseSize } from '../src/operator/queries.ts'
import { openDependencies } from '../src/start/open-dependencies.ts'
import { figure } from './parts/figures.ts'
import { engine } from './parts/options.ts'
import { inPlaces } from './parts/places.ts'

const WEEKS = 8
const MONTHS = (WEEKS * 7) / (365.25 / 12)

const bytesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)

await inPlaces(async (make) => {
  const { folder, environment } = await make('month')
  const dependencies = await openDependencies(readConfig({ ...environment, NODE_ENV: 'development' }))
  try {
    const { db } = dependencies
    // Dead rows of PostgreSQL are room for the next ones.
    const size = async () => {
      if (engine === 'postgres') await sql`vacuum full`.execute(db)
      return findDatabaseSize(db)
    }
    const before = await size()
    const { counts } = await fill(dependencies, { now: Date.now(), password: 'correct horse battery' })
    const people = counts['people'] ?? 0
    const made = Object.values(counts).reduce((sum, count) => sum + count, 0) - people
    const share = 1_000 / people / MONTHS
    console.log(`  ${people} people made ${made} things, comments and votes in ${WEEKS} weeks`)
    figure('of a thousand members and a month: things, comments and votes', made * share, '')
    figure('  the database grows by', ((await size()) - before) * share * 1e-6, 'MB')
    figure('  stored files grow by', bytesBelow(join(folder, 'blobs')) * share * 1e-6, 'MB')
  } finally {
    await dependencies.close()
  }
})
