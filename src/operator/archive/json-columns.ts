// The columns of an archive that hold JSON, and the shape that what reads them takes for granted. test/archive-declared.test.ts compares them with
// the data model, which says of each such column that it is JSON.
import { z } from 'zod'
import { jsonIn } from '../../runtime/json.ts'

const object = z.record(z.string(), z.unknown())
const list = z.array(z.unknown())
const texts = z.array(z.string())
/** Roles of a chart, and the edges between them. */
const chart = z.looseObject({ roles: z.array(object), edges: z.array(object).optional() })
/** A vote is a number in the same column. */
const any = z.union([object, z.int()])

export const jsonColumns = {
  'board.labels': texts,
  'board.statuses': object,
  'event.detail': object,
  'event.mentioned': texts,
  'formDraft.fields': list,
  'import.cursor': object,
  'import.done': object,
  'import.options': object,
  'import.report': object,
  'importRecord.body': object,
  'libraryItem.meta': object,
  'libraryItem.tags': texts,
  'mergedPart.value': any,
  'mergedThing.labels': texts,
  'mergedThing.record': object,
  'nameDomain.publicKeys': texts,
  'orgPage.chart': chart,
  'profile.tags': texts,
  'release.pending': list,
  'revision.changes': z.record(z.string(), list),
  'scimGroup.gives': object,
  'scimUser.attributes': object,
  'scimUser.givenBoards': texts,
  'scimUser.ownBoards': texts,
  'suggestion.input': object,
  'user.externalGroups': object,
  'versionCloses.pending': list,
  'versionDetails.contents': object,
  'versionDetails.meta': object,
  'versionOutcomes.errors': list,
  'versionPermissions.permissions': list,
  'versionScan.findings': list,
  'versionScan.warnings': list,
  'versionStatement.payload': object,
} as const satisfies Readonly<Record<string, z.ZodType>>

const shapes: Readonly<Record<string, z.ZodType>> = jsonColumns

/** Whether a column may have a text: any, unless it holds JSON. */
export const isReadable = (column: string, value: string | number): boolean =>
  !Object.hasOwn(shapes, column) || shapes[column]?.safeParse(jsonIn(String(value))).success === true
