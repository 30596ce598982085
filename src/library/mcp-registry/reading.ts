// What the paths of the MCP Registry API read, how pages end, and the form of a version.
import { Problem } from '../../contract/problem.ts'
import { pageOfRows, readCursor } from '../../database/cursor.ts'
import { fold } from '../../database/search.ts'
import { isVersion, precedenceOf } from '../../formats/version.ts'
import type { ReadContext } from '../../request/endpoint.ts'
import { timestamp } from '../../runtime/clock.ts'
import { BlobError } from '../../storage/blobs.ts'
import { domainProofs } from '../name-domains/domains.ts'
import { isProvenName } from '../publishers/letting.ts'
import { pathOf } from '../records/record.ts'
import type { ListInput, VersionInput, VersionsInput } from './input.ts'
import { findServerVersion, listServerVersions, listVersionsOfServer, type ServerRow } from './queries.ts'
import { type ServerFile, serverFileOf } from './server-file.ts'

// What the MCP Registry API answers (github.com/modelcontextprotocol/registry, docs/reference/api/openapi.yaml): a version with its server.json
// and what this registry says of it.

/** Where the API has the words of a registry, and where ours beside those are. */
const OFFICIAL = 'io.modelcontextprotocol.registry/official'
const OWN = 'guildhall/item'

const MAX_MESSAGE = 500

interface Status {
  status: 'active' | 'deprecated' | 'deleted'
  message: string | null
  changedAt: string
}

/**
 * Yanked is deprecated: it is not chosen any more, and there by its number. What an admin withholds is deleted: it is in no list, unless one
 * asks for that.
 */
function statusOf(row: ServerRow): Status {
  const { yankedAt, yankReason: message, yankedByAdmin, deprecation, createdAt } = row
  if (yankedAt !== null) return { status: yankedByAdmin ? 'deleted' : 'deprecated', message, changedAt: yankedAt }
  if (deprecation !== null)
    return { status: 'deprecated', message: deprecation, changedAt: row.lifeAt ?? row.updatedAt }
  return { status: 'active', message: null, changedAt: createdAt }
}

const shortened = (text: string) =>
  text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE - 1).toWellFormed()}…` : text

interface Answering {
  baseUrl: string
  /** Whether the domain in the name of a version proves it. */
  isProven(row: ServerRow): boolean
}

function answerOf(row: ServerRow, file: ServerFile, { baseUrl, isProven }: Answering): string {
  const { status, message, changedAt } = statusOf(row)
  const { version, sha256, createdAt: publishedAt, lifeAt, updatedAt } = row
  const meta = {
    [OFFICIAL]: {
      status,
      ...(message && { statusMessage: shortened(message) }),
      statusChangedAt: changedAt,
      publishedAt,
      updatedAt: lifeAt !== null && lifeAt > updatedAt ? lifeAt : updatedAt,
      isLatest: row.number === row.latest,
    },
    [OWN]: {
      ...{ url: `${baseUrl}${pathOf(row)}`, version, sha256 },
      verified: isProvenName(file.name, row.payload) || isProven(row),
    },
  }
  return `{"server":${file.text},"_meta":${JSON.stringify(meta)}}`
}

const listAnswer = (servers: readonly string[], nextCursor: string | null | undefined): string =>
  `{"servers":[${servers.join()}],"metadata":${JSON.stringify({ ...(nextCursor && { nextCursor }), count: servers.length })}}`

/** Of server.json files in a page; one that is larger is alone in its page. */
export const PAGE_BYTES = 1024 * 1024
/** Files that are read at once. */
const AT_ONCE = 10

const noServer = () => new Problem('not_found', 'Server not found')
/** A namespace has no underscore, so different names stay different; capitals do not count. */
const slugOf = (name: string) => name.toLowerCase().replace('/', '_')

/** Where a page of a list begins: with the filters, because clients send no search with the cursor of the next page. */
const PLACE = { search: '', since: '', version: '', deleted: 0, slug: '', number: 0 }
const LIST = ['mcp-registry']

const otherList = () =>
  new Problem('invalid_request', 'cursor: must be `nextCursor` of this list with the same filters')

function filtersOf({
  search,
  updated_since: since,
  version,
  include_deleted: deleted,
}: Omit<ListInput, 'limit' | 'cursor'>) {
  const exact = version === undefined || version === '' || version === 'latest' ? version : precedenceIn(version)
  return {
    search: search === undefined ? undefined : fold(search),
    since: since === undefined ? undefined : new Date(since).toISOString(),
    version: exact,
    deleted: since !== undefined || deleted === 'true' ? 1 : deleted === undefined ? undefined : 0,
  }
}

function precedenceIn(version: string): string {
  if (isVersion(version)) return precedenceOf(version)
  throw new Problem('invalid_request', 'version: must be `latest` or a semantic version, such as 1.4.2')
}

/** A page of rows as far as their files have room in it, and the cursor of the next one where there are more. */
async function pageOf<Place extends Record<string, string | number>>(
  context: ReadContext,
  rows: readonly ServerRow[],
  {
    limit,
    cursor = '',
    list,
    placeOf,
  }: { limit: number; cursor: string | undefined; list: readonly unknown[]; placeOf(row: ServerRow): Place },
): Promise<string> {
  let [fits, bytes] = [0, 0]
  for (const { size } of rows.slice(0, limit)) {
    bytes += size
    if (fits > 0 && bytes > PAGE_BYTES) break
    fits++
  }
  const [first] = rows
  if (!first) return listAnswer([], null)
  const placed = rows.map((row) => ({ ...placeOf(row), row }))
  const request = { page: 0, per_page: fits, cursor }
  const page = await pageOfRows(request, { list, by: placeOf(first) }, async () => placed.slice(0, fits + 1))
  const answering = await answeringFor(context, rows)
  const answers: string[] = []
  for (let at = 0; at < page.items.length; at += AT_ONCE) {
    const some = page.items.slice(at, at + AT_ONCE).map(({ row }) => answerIn(context.blobs, row, answering))
    for (const answer of await Promise.all(some)) if (answer !== undefined) answers.push(answer)
  }
  return listAnswer(answers, page.nextCursor)
}

const answeringFor = async ({ db, clock, config }: ReadContext, rows: readonly ServerRow[]): Promise<Answering> => ({
  baseUrl: config.baseUrl,
  isProven: await domainProofs(db, timestamp(clock.now()), rows),
})

/** Undefined where the file is damaged: one does not end the list of all. */
async function answerIn(
  blobs: ReadContext['blobs'],
  row: ServerRow,
  answering: Answering,
): Promise<string | undefined> {
  try {
    return answerOf(row, await serverFileOf(blobs, row), answering)
  } catch (error) {
    if (error instanceof BlobError && error.code === 'corrupt') return undefined
    throw error
  }
}

export async function readList(context: ReadContext, { cursor, limit, ...asked }: ListInput): Promise<string> {
  const given = filtersOf(asked)
  const place = readCursor(LIST, cursor ?? '', Object.values(PLACE))
  const after = place && (Object.fromEntries(Object.keys(PLACE).map((name, at) => [name, place[at]])) as typeof PLACE)
  for (const [name, value] of Object.entries(given))
    if (after && value !== undefined && value !== after[name as keyof typeof given]) throw otherList()
  const { slug: _slug, number: _number, ...filters } = after ?? { ...PLACE, ...definedOf(given) }
  const { search, since, version, deleted } = filters
  const wanted = { search, since, version, withDeleted: deleted === 1 }
  const rows = await listServerVersions(context.db, wanted, { after, limit: limit + 1 })
  const placeOf = ({ slug, number }: ServerRow) => ({ ...filters, slug, number })
  return pageOf(context, rows, { limit, cursor, list: LIST, placeOf })
}

const definedOf = <Given extends object>(given: Given) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Given]?: Exclude<Given[Name], undefined>
  }

export async function readVersions(
  context: ReadContext,
  { name, cursor, limit, include_deleted }: VersionsInput,
): Promise<string> {
  const slug = slugOf(name)
  const list = [...LIST, slug, include_deleted === 'true']
  const place = readCursor(list, cursor ?? '', [0])
  const after = place && { slug, number: Number(place[0]) }
  const wanted = { slug, withDeleted: include_deleted === 'true' }
  const rows = await listVersionsOfServer(context.db, wanted, { after, limit: limit + 1 })
  const [first] = rows
  if (!after && (!first || !(await isNamed(context, first, name)))) throw noServer()
  return pageOf(context, rows, { limit, cursor, list, placeOf: ({ number }) => ({ number }) })
}

/** Capitals count in a name, as the file has it. */
const isNamed = async ({ blobs }: ReadContext, row: ServerRow, name: string) =>
  (await serverFileOf(blobs, row)).name === name

export async function readVersion(
  context: ReadContext,
  { name, version, include_deleted }: VersionInput,
): Promise<string> {
  const exact = version === 'latest' ? version : isVersion(version) ? precedenceOf(version) : undefined
  const wanted = { slug: slugOf(name), withDeleted: include_deleted === 'true' }
  const row = exact === undefined ? undefined : await findServerVersion(context.db, { ...wanted, version: exact })
  if (!row || !(await isNamed(context, row, name))) throw noServer()
  return answerOf(row, await serverFileOf(context.blobs, row), await answeringFor(context, [row]))
}
