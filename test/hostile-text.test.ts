// Every operation x every text field x every hostile text: no fault, no stand-still, a refusal in the area's own words, and what was
// stored is read back by everybody. Derived from the contracts: a new operation is covered by existing.
import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { api } from '../src/api.ts'
import { type Contract, type Operation, placesOf } from '../src/contract/operation.ts'
import { broken, hostileTexts, inPath } from './hostile-texts.ts'
import { orgFile, workflowFile } from './library.ts'
import { sampleOf } from './samples.ts'
import { settings as ofGitHub } from './trackers.ts'
import { longestTurn } from './turns.ts'
import { BASE_URL, onEveryEngine, type Person, type World } from './world.ts'

const LONGEST_TURN_MILLISECONDS = 200
const AT_ONCE = 8

/** These end what the others need; what they take is tried by others of their kind. */
const left = new Set(['accounts.signOut', 'sessions.endOthers'])

const operations = Object.entries(api as Record<string, Contract>)
  .flatMap(([slice, contract]) =>
    Object.entries(contract).map(([verb, operation]) => ({ slice, name: `${slice}.${verb}`, operation })),
  )
  .filter(({ name }) => !left.has(name))
  // What is removed is not there for others.
  .sort((a, b) => Number(a.operation.method === 'DELETE') - Number(b.operation.method === 'DELETE'))

type Ids = Record<string, string>

/** One thing of each kind, by the slice whose paths name it. */
async function thingsOf({ admin, alice }: World): Promise<Record<string, Ids>> {
  const bug = await admin.bugs.create({ title: 'A bug', description: 'Text', severity: 'low' })
  const feature = await admin.features.create({ title: 'A feature', description: 'Text' })
  const post = await admin.posts.create({ title: 'A post', body: 'Text' })
  const org = await admin.orgs.create({ orgJson: await orgFile().text() })
  const run = await admin.orgRuns.add({ id: org.id, files: [new File(['# a'], 'a.md')] })
  const item = await admin.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
  const label = await admin.labels.create({ name: 'label', color: '#123456' })
  const [article] = (await admin.blog.list()).items
  const { id } = await alice.account()
  const at = (comment: { id: string }) => comment.id
  return {
    bugs: { id: bug.id, labelId: label.id, commentId: at(await admin.bugs.comment({ id: bug.id, body: 'x' })) },
    features: { id: feature.id, labelId: label.id },
    posts: { id: post.id, labelId: label.id },
    labels: { id: label.id },
    orgs: { id: org.id, commentId: at(await admin.orgs.comment({ id: org.id, body: 'x' })) },
    orgRuns: { id: org.id, runId: run.id, fileId: run.files[0]!.id },
    orgImages: { id: org.id },
    library: {
      id: item.id,
      kind: 'workflow',
      slug: item.slug,
      commentId: at(await admin.library.comment({ id: item.id, body: 'x' })),
    },
    blog: { slug: article!.slug, commentId: at(await admin.blog.comment({ slug: article!.slug, body: 'x' })) },
    admin: { id },
    avatars: { userId: id },
  }
}

interface Try {
  operation: Operation
  ids: Ids
  field: string
  text: string
}

const isList = (operation: Operation, field: string) => Array.isArray(sampleOf(operation.input)[field])

/** The input with this text in this field, and what fits in all others. */
function inputOf({ operation, ids, field, text }: Try): Record<string, unknown> {
  const { path, query } = placesOf(operation)
  const fitting = (type: Operation['input']) => ({ ...sampleOf(type), ...ids })
  const given: Record<string, unknown> = {
    ...fitting(operation.input),
    ...(operation.deferredBody && fitting(operation.deferredBody)),
  }
  given[field] = isList(operation, field) ? [text] : text
  // In an address there are only texts.
  for (const name of path) given[name] = String(given[name] ?? 'none')
  for (const name of query) given[name] = String(name === field ? text : (ids[name] ?? ''))
  return given
}

/** Whether the contract refuses it: no handler and no database is asked. */
function isRefusedByContract({ operation, ids, field, text }: Try): boolean {
  if (operation.upload || operation.deferredBody) return false
  return !operation.input.safeParse(inputOf({ operation, ids, field, text })).success
}

/** The request with this text in this field. */
function requestFor({ operation, ids, field, text }: Try): { path: string; init: RequestInit } {
  const places = placesOf(operation)
  const given = inputOf({ operation, ids, field, text })
  const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => inPath(String(given[name])))
  const query = places.query.map((name) => `${name}=${inPath(String(given[name]))}`)
  const path = `/api${filled}${query.length ? `?${query.join('&')}` : ''}`
  if (operation.upload) return { path, init: { method: operation.method, body: formFor(operation, { field, text }) } }
  if (places.body.length === 0) return { path, init: { method: operation.method } }
  const body = JSON.stringify(Object.fromEntries(places.body.map((name) => [name, given[name]])))
  const headers = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }
  return { path, init: { method: operation.method, headers, body } }
}

function formFor({ upload }: Operation, { field, text }: { field: string; text: string }): FormData {
  const form = new FormData()
  const fitting = sampleOf(upload!.fields)
  for (const name of Object.keys(upload!.fields.shape))
    form.append(name, name === field ? text : String(fitting[name] ?? ''))
  for (const name of Object.keys(upload!.files)) {
    const content = field === 'content' ? text : '# A file'
    form.append(name, new File([content], field === 'filename' ? `${text}.md` : 'file.md'))
  }
  return form
}

/** Every field that text can travel in: of the path, the query, the body or the form, and the names and contents of files. */
function fieldsOf(operation: Operation): string[] {
  const { path, query, body } = placesOf(operation)
  const form = operation.upload ? [...Object.keys(operation.upload.fields.shape), 'filename', 'content'] : []
  return [...new Set([...path, ...query, ...body, ...form])]
}

async function attempt(person: Pick<Person, 'request'>, given: Try, kind: string): Promise<string | undefined> {
  const { path, init } = requestFor(given)
  const response = await person.request(path, init)
  const { operation, field } = given
  const what = `${operation.method} ${operation.path} with ${kind} in ${field}: ${response.status}`
  if (response.status >= 500) return `${what} ${await response.text()}`
  if (response.headers.getSetCookie().some((line) => line.startsWith('planted'))) return `${what} planted a cookie`
  if (response.status < 400) {
    await response.arrayBuffer()
    if (isRefusedByContract(given)) return `${what}: the contract refuses it`
    const written = placesOf(operation).body.includes(field)
    return written && broken.has(kind) ? `${what}: it is kept` : undefined
  }
  const body: unknown = await response.json().catch(() => undefined)
  const { success } = operation.access.area.errorBody.safeParse(body)
  return success ? undefined : `${what} is not in the words of its area: ${JSON.stringify(body)}`
}

/** Every page and list that shows what was stored. */
const shownAt = [
  '/',
  '/community',
  '/community/bugs',
  '/community/orgs',
  '/library',
  '/feed.atom',
  '/sitemap.xml',
  '/api/community/feed',
  '/api/library/items',
  '/api/community/bugs',
]

onEveryEngine(
  'hostile text',
  (it) => {
    it('in any field of any operation is stored or refused, and nothing falls over', async (world) => {
      const { admin, anonymous } = world
      await Promise.all([admin.account(), world.alice.account()])
      const things = await thingsOf(world)
      const all = operations.flatMap(({ slice, operation }) =>
        fieldsOf(operation).flatMap((field) =>
          Object.entries(hostileTexts).map(([kind, text]) => ({
            kind,
            given: { operation, ids: things[slice] ?? {}, field, text },
          })),
        ),
      )
      assert.ok(all.length > 3_000, `${all.length} tries`)
      const isPostgres = world.databaseUrl.startsWith('postgres')
      // What no database is asked about is tried on SQLite alone.
      const tries = isPostgres ? all.filter(({ given }) => !isRefusedByContract(given)) : all
      const turn = longestTurn()
      const found: string[] = []
      // On SQLite a request is answered without a pause: several at once would be one turn of the event loop.
      const atOnce = isPostgres ? AT_ONCE : 1
      const tryAll = async (some: typeof tries) => {
        const faults = await Promise.all(
          some.map(({ kind, given }) =>
            attempt(given.operation.access.credential === 'none' ? anonymous : admin, given, kind),
          ),
        )
        await setImmediate()
        return faults
      }
      for (let at = 0; at < tries.length; at += atOnce) {
        const some = tries.slice(at, at + atOnce)
        for (const fault of await tryAll(some)) if (fault) found.push(fault)
        if (turn.since() <= LONGEST_TURN_MILLISECONDS) continue
        // What is compiled or collected once is not what the text costs: it counts when it happens again.
        for (const one of some) {
          await tryAll([one])
          const again = turn.since()
          if (again > LONGEST_TURN_MILLISECONDS)
            found.push(`${again} ms at ${one.given.operation.path} with ${one.kind}`)
        }
      }
      turn.end()
      assert.ok(tries.length > 3_000, `${tries.length} tries`)
      assert.deepEqual(found.slice(0, 40), [], `${found.length} of ${tries.length}`)
      for (const path of shownAt)
        assert.equal((await anonymous.request(new URL(path, BASE_URL).pathname)).status, 200, path)
    })
  },
  ofGitHub,
)
