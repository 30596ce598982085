// `npm run admin -- reindex`.
import { systemClock, timestamp } from '../runtime/clock.ts'
import { buildSearch, countDocuments, resetBuild } from '../search/building.ts'
import { searchSources } from '../search-sources.ts'
import type { Command } from './command.ts'
import { withDatabase } from './with-accounts.ts'

export const reindex: Command = {
  usage: 'reindex',
  summary: 'builds the index of the search again',
  parameters: [0, 0],
  /** The server may run: it finds what it did before until a thing has its turn. */
  run: ({ settings, output }) =>
    withDatabase(settings(), async (db) => {
      await resetBuild(db)
      await buildSearch({ db, sources: searchSources, now: () => timestamp(systemClock.now()) })
      const documents = await countDocuments(db)
      output.result({ documents }, `The index of the search has ${documents} documents.`)
      return 0
    }),
}
