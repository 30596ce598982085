// Everything that the search finds, and what it has of it.

import { withWholeTexts } from './content/imported/whole-texts.ts'
import { withMerged } from './content/merged/queries.ts'
import { keysOf } from './contract/records.ts'
import { features } from './features.ts'
import { type SearchSource, tableSource } from './search/building-queries.ts'
import { listedSubjects } from './subjects.ts'

/** Things with the texts of what was merged into them. */
const mergedSource = (source: SearchSource): SearchSource => ({
  ...source,
  find: async (db, ids) => withMerged(db, await withWholeTexts(db, await source.find(db, ids))),
})

const subjectSources = listedSubjects
  .filter(({ type }) => type !== 'org')
  .map(({ type, record, text, url, ...subject }) => {
    const columns = [...keysOf(record.shape), 'viaClientId'] as const
    return mergedSource(
      tableSource({ table: subject.table, columns, type, canHide: true }, (row) => {
        const { title, text: body } = text(row as never)
        const { id, authorId, createdAt, viaClientId } = row
        return { id, type, authorId, createdAt, viaClientId, title, body, url: url(row as never) }
      }),
    )
  })

/** In the order in which they are read. */
export const searchSources: readonly SearchSource[] = [
  ...subjectSources,
  ...features.flatMap((feature) => feature.searchSources ?? []),
]
