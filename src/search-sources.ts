// Everything that the search finds, and what it has of it.
import { listOrgDocuments } from './community/orgs/orgs.ts'
import { withMerged } from './content/merging/queries.ts'
import type { CommentTable, LabelTable, TeamTable, UserTable } from './database/schema.ts'
import { listCarried, listItemDocuments, listTagsCarried } from './library/library.ts'
import type { NewDocument } from './search/document.ts'
import { idsOf, type SearchSource, tableSource } from './search/source-queries.ts'
import { commentDocument, labelDocument, personDocument, tagDocument, tagId, teamDocument } from './search/things.ts'
import { listedSubjects } from './subjects.ts'

/** Things with the texts of what was merged into them. */
const mergedSource = (source: SearchSource): SearchSource => ({
  ...source,
  find: async (db, ids) => withMerged(db, await source.find(db, ids)),
})

const subjectSources = listedSubjects
  .filter(({ type }) => type !== 'org')
  .map(({ table, type, text, url }) =>
    mergedSource(
      tableSource<never>({ table, type, canHide: true }, (row) => {
        const { title, text: body } = text(row)
        const { id, authorId, createdAt, viaClientId } = row as NewDocument
        return { id, type, authorId, createdAt, viaClientId, title, body, url: url(row) }
      }),
    ),
  )

const tagOf = (id: string) => id.slice(tagId('').length)

const tagSource: SearchSource = {
  types: ['tag'],
  listIds: async (db, { after, limit }) => (await listTagsCarried(db, tagOf(after), limit)).map(tagId),
  find: async (db, ids) => (await listCarried(db, ids.map(tagOf))).map(tagDocument),
}

/** In the order in which they are read. */
export const searchSources: readonly SearchSource[] = [
  ...subjectSources,
  { types: ['org'], listIds: idsOf('orgUpload'), find: listOrgDocuments },
  { types: ['workflow', 'automation', 'org'], listIds: idsOf('libraryItem'), find: listItemDocuments },
  tagSource,
  tableSource<CommentTable>({ table: 'comment', type: 'comment', canHide: true }, commentDocument),
  tableSource<UserTable>({ table: 'user', type: 'person', canHide: false }, personDocument),
  tableSource<LabelTable>({ table: 'label', type: 'label', canHide: false }, labelDocument),
  tableSource<TeamTable>({ table: 'team', type: 'team', canHide: true }, teamDocument),
]
