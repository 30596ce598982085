// What a list of a subject goes along, and how many things it has: by counters, or by its rows.
import type { ActiveSort, Writers } from '../../contract/fields.ts'
import type { Db } from '../../database/schema.ts'
import { isOfBoard } from '../board-access/listing-queries.ts'
import { countOf } from '../counter-queries.ts'
import { groupOf, type Labelling, listCountedLabels, resolveLabel } from '../labelled/labelling.ts'
import { type IdQuery, mergedIds, mergedWindow, type PageWindow, selectIds } from '../listing-queries.ts'
import {
  boundsOf,
  choicesOf,
  countFound,
  type Filters,
  hasSeveral,
  LABELS,
  narrowedBy,
  soughtIn,
  spread,
  valueIn,
} from '../rows/filter-queries.ts'
import { facetsOf, type ListedSubject, type RecordSchema } from '../subject.ts'
import { byFilter, countBy } from '../via.ts'

/** The part of a declaration that a list of its rows needs. */
type ListedRows = Pick<ListedSubject, 'type' | 'table' | 'record' | 'filters' | 'labels'>

export type FacetCounts = Record<string, Record<string, number>>

export type Scan = (db: Db, filters: Filters, order: PageWindow & { sort: ActiveSort }) => IdQuery

/** Along an index, or along one for each choice of values; a search and what is decided about things leave few to look at. */
export function scanOf(subject: ListedRows, labelling: Labelling | undefined): Scan {
  const { table } = subject
  const facets = facetsOf(subject)
  const one: Scan = (db, filters, order) => {
    const { sort, ...page } = order
    const own = labelling?.scan(db, filters, order)
    if (own) return own
    const list = { table, ...boundsOf(facets, filters), among: narrowedBy(filters), sort }
    const { most, ...sought } = soughtIn(db, subject, filters)
    return selectIds(db, { ...list, ...sought }, { ...most, ...page })
  }
  return (db, filters, order) => {
    const isAlong = !filters['q'] && !narrowedBy(filters) && !hasSeveral(filters, LABELS)
    const lists = isAlong ? choicesOf(filters, facets) : [filters]
    if (lists.length === 1) return one(db, filters, order)
    const { sort } = order
    const parts = lists.map((list) => one(db, list, { ...mergedWindow(order), sort }))
    return mergedIds(db, parts, { ...order, shared: false })
  }
}

/** Where no counters are of what a list has. */
export const isCountedByRows = (filters: Filters): boolean =>
  narrowedBy(filters) !== undefined ||
  filters['activeSince'] !== undefined ||
  isOfBoard(filters) ||
  hasSeveral(filters, LABELS)

/** Reads stored counters, for a list of any size. */
export function countsOf(subject: ListedRows, scan: Scan) {
  const facets = facetsOf(subject)
  return async (db: Db, { by, ...given }: { by?: Writers | undefined } & Filters): Promise<FacetCounts> => {
    const filters = await resolveLabel(db, given)
    const countWith = (wanted: Filters, writtenBy: Writers | undefined) => {
      const spreadOut = spread({ ...wanted, ...byFilter(writtenBy) }, [...facets, LABELS])
      if (isCountedByRows(spreadOut)) return countFound(db, scan(db, spreadOut, { sort: 'latest', backwards: false }))
      const values = facets.map((facet) => valueIn(spreadOut, facet))
      const group = groupOf(wanted)
      return countBy((one) => countOf(db, { kind: subject.type, group: one, facets: values }), group, writtenBy)
    }
    const count = (name: string, value: string) => {
      const other = name === 'labelId' ? { [LABELS]: undefined } : {}
      return countWith({ ...filters, ...other, [name]: value }, by)
    }
    const counted = async (name: string, values: readonly string[]) => {
      const numbers = await Promise.all(values.map((value) => count(name, value)))
      return Object.fromEntries(values.map((value, at) => [value, numbers[at] ?? 0]))
    }
    const found: FacetCounts = {}
    for (const name of facets) found[name] = await counted(name, valuesOf(subject.record, name))
    if (subject.labels) found['label'] = await counted('labelId', await listCountedLabels(db))
    found['by'] = { people: await countWith(filters, 'people'), agents: await countWith(filters, 'agents') }
    return found
  }
}

/** The values of a facet, which is an enum of the record. */
const valuesOf = ({ shape }: RecordSchema, name: string): string[] => Reflect.get(shape, name).options ?? []
