// Lists as CSV and as JSON lines, for every list that there is, as a parser of others reads them (csv-parse).
import assert from 'node:assert/strict'
import { describe, it as test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { entriesOf, pagingOf } from '../src/contract/operation.ts'
import { partNames } from '../src/contract/parts.ts'
import { csvLine } from '../src/formats/csv.ts'
import { newId } from '../src/runtime/ids.ts'
import { putSetting } from '../src/settings/queries.ts'
import { tableIn } from '../src/surfaces/http/table-format.ts'
import { MAX_CHARACTERS, MAX_ROWS, MAX_SENT_BYTES, TablesSent } from '../src/surfaces/http/tables.ts'
import { agentOf } from './agents.ts'
import { boundTokens, keyHolder, newKey } from './dpop.ts'
import { listening } from './listening.ts'
import { bearing } from './oauth.ts'
import { callsOf, fill, setReaders } from './private-world.ts'
import { BASE_URL, onEveryEngine, type Person, type World } from './world.ts'

type Fields = Readonly<Record<string, unknown>>
type Asking = Pick<Person, 'request'>

const lists = (community: Parameters<typeof callsOf>[0]) =>
  callsOf(community, (operation) => entriesOf(operation) !== undefined)

const withQuery = (path: string, query: Record<string, string>) =>
  `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(query)}`

const rowsIn = (text: string): Record<string, string>[] => {
  assert.ok(text.startsWith('\ufeff'), 'has a byte order mark')
  return parse(text, { bom: true, columns: true, record_delimiter: '\r\n' })
}

/** `text()` of a response takes the mark away. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

const linesIn = (text: string): Fields[] => {
  assert.ok(text === '' || text.endsWith('\n'))
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

async function read(person: Asking, path: string, headers: Record<string, string> = {}) {
  const answer = await person.request(path, { headers })
  const text = decoder.decode(await answer.arrayBuffer())
  assert.equal(answer.status, 200, `${path}: ${text.slice(0, 300)}`)
  return { text, headers: answer.headers, next: nextOf(answer) }
}

const nextOf = ({ headers }: Response): string | undefined => {
  const link = headers.get('link')
  if (link === null) return undefined
  const [, url = ''] = /^<(.+)>; rel="next"$/.exec(link) ?? []
  assert.ok(url.startsWith(`${BASE_URL}/api/`), link)
  return url.slice(BASE_URL.length)
}

/** All entries of a list, by its own pages. */
async function entriesAt(person: Asking, { path, operation }: ReturnType<typeof lists>[number]): Promise<unknown[]> {
  const name = entriesOf(operation)!
  if (pagingOf(operation)?.by !== 'cursor')
    return (JSON.parse((await read(person, path)).text) as Record<string, unknown[]>)[name]!
  const found: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Fields = JSON.parse((await read(person, withQuery(path, { cursor, per_page: '50' }))).text)
    found.push(...(page[name] as unknown[]))
    cursor = page['nextCursor'] as string | null
  }
  return found
}

/** What a cell says of a value, written for this test alone. */
function expected(entry: unknown, column: string): string {
  const names = column === 'value' && typeof entry !== 'object' ? [] : column.split('.')
  const values = names.reduce<unknown[]>(
    (all, name) => all.map((one) => (one as Fields | null | undefined)?.[name]).flat(9),
    [entry],
  )
  const words = values.map((value) =>
    value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value),
  )
  const text = words.join('; ')
  if (values.length === 1 && typeof values[0] === 'number') return text
  const inside = text.replaceAll(/(?<=(?:^|[;\t\r\n])[\s"]*)[=+@-]/g, "'$&")
  return /^[\t\r\n]/.test(inside) ? `'${inside}` : inside
}

/**
 * Every cell as programs see it that separate cells by commas, and as those do that separate them by semicolons (Excel, in German) or tabs: a
 * quotation mark within a cell opens nothing for them, and every line break ends a row.
 */
function* cellsIn(text: string): Generator<string> {
  const loose = { bom: true, relax_column_count: true, skip_empty_lines: true, quote: false } as const
  yield* Object.values(rowsIn(text)).flatMap((row) => Object.values(row))
  for (const delimiter of [';', '\t'])
    for (const record_delimiter of [['\r\n', '\n', '\r'], '\r\n']) {
      const rows: string[][] = parse(text, { delimiter, record_delimiter, ...loose })
      for (const cell of rows.flat()) yield cell.replaceAll('"', '').trim()
    }
}

function assertNoFormula(text: string) {
  for (const cell of cellsIn(text)) assert.ok(!/^[=+@]|^-(?!\d+$)/.test(cell), `runs: ${cell.slice(0, 80)}`)
}

/** The names of the values in an entry. */
function leavesOf(value: unknown, name = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => leavesOf(one, name))
  if (typeof value !== 'object' || value === null) return [name || 'value']
  return Object.entries(value).flatMap(([field, inner]) => leavesOf(inner, name ? `${name}.${field}` : field))
}

async function putParts({ db, dependencies }: World, value: string) {
  const setting = { name: 'PARTS_OFF', value, actorId: null, changedAt: '2026-01-01T00:00:00.000Z' }
  await db.transaction().execute((transaction) => putSetting(transaction, setting))
  await dependencies.settings.reload()
}

const label = (at: number) => {
  const name = `label ${String(at).padStart(5, '0')}`
  return { id: newId(), name, nameKey: name, color: '#123456', description: null }
}

async function addLabels({ db }: World, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += 2_000) {
    const some = Array.from({ length: Math.min(2_000, to - at) }, (_, more) => label(at + more))
    await db.insertInto('label').values(some).execute()
  }
}

/** So many releases, each of 10,000 characters. */
async function fillChangelog({ db, moderator }: World, count: number): Promise<void> {
  const { id } = await moderator.changelog.create({ title: 'First', body: 'ä'.repeat(10_000) })
  const first = await db.selectFrom('release').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const copies = Array.from({ length: count - 1 }, (_, at) => ({
    ...first,
    id: newId(),
    number: first.number + 1 + at,
  }))
  for (let at = 0; at < copies.length; at += 100) {
    const some = copies.slice(at, at + 100)
    await db.insertInto('release').values(some).execute()
  }
}

onEveryEngine('lists as tables', (it) => {
  it('say of every list what it says as JSON', async (world) => {
    const community = await fill(world)
    const { admin, clock } = world
    // A session was last seen now.
    clock.stop()
    let filled = 0
    for (const list of lists(community)) {
      const { name, path, operation } = list
      assert.ok(!('format' in operation.input.shape), `${name} has an input that is called format`)
      if ((await admin.request(path)).status !== 200) continue
      const entries = await entriesAt(admin, list)
      const lines = await read(admin, withQuery(path, { format: 'jsonl' }))
      assert.deepEqual(linesIn(lines.text), entries, name)
      assert.equal(lines.headers.get('content-type'), 'application/jsonl; charset=utf-8')
      const csv = await read(admin, withQuery(path, { format: 'csv' }))
      assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
      assert.match(csv.headers.get('content-disposition') ?? '', /^attachment; filename="[\w-]+\.csv"$/)
      assert.equal(csv.headers.get('cache-control'), 'no-store')
      assert.equal(csv.headers.get('vary'), 'Cookie, Authorization, Accept')
      assertNoFormula(csv.text)
      const rows = rowsIn(csv.text)
      assert.equal(rows.length, entries.length, name)
      const head = csv.text.slice(1, csv.text.indexOf('\r\n')).split(',')
      assert.equal(new Set(head).size, head.length, `${name} has a column twice`)
      for (const [at, entry] of entries.entries()) {
        for (const column of head) assert.equal(rows[at]![column], expected(entry, column), `${name} ${column}`)
        for (const leaf of leavesOf(entry))
          assert.ok(
            head.some((column) => column === leaf || leaf.startsWith(`${column}.`) || column.startsWith(`${leaf}.`)),
            `${name} has no column ${leaf}`,
          )
      }
      if (entries.length > 0) filled++
    }
    assert.ok(filled > 30, `only ${filled} lists have entries`)
  })

  it('refuse whom the list refuses, in the same words, with parts off and on a private instance too', async (world) => {
    const community = await fill(world)
    const { alice, anonymous, blocked, moderator } = world
    const calls = lists(community)
    const same = async (which: string) => {
      let refused = 0
      for (const { name, path } of calls)
        for (const [who, person] of Object.entries({ alice, anonymous, blocked, moderator })) {
          const plain = await person.request(path)
          for (const format of ['csv', 'jsonl']) {
            const table = await person.request(withQuery(path, { format }))
            assert.equal(table.status, plain.status, `${name} of ${who} ${which}`)
            if (plain.ok) continue
            refused++
            assert.equal(table.headers.get('content-type'), plain.headers.get('content-type'))
            assert.equal(table.headers.get('www-authenticate'), plain.headers.get('www-authenticate'))
          }
          if (!plain.ok) {
            const table = await person.request(withQuery(path, { format: 'csv' }))
            assert.equal(await table.text(), await plain.text(), `${name} of ${who} ${which}`)
          }
        }
      return refused
    }
    assert.ok((await same('as it is')) > 200)
    assert.equal((await alice.request('/api/community/bugs/nothing/comments?format=csv')).status, 404)
    assert.equal((await alice.request('/api/community/bugs?status=nothing&format=csv')).status, 400)
    assert.equal((await alice.request('/api/community/bugs?board=nothing&format=csv')).status, 404)
    await putParts(world, partNames.join(', '))
    assert.equal((await alice.request('/api/community/bugs?format=csv')).status, 404)
    await same('with all parts off')
    await putParts(world, '')
    await setReaders(world, 'members')
    await same('on a private instance')
    const answer = await alice.request('/api/community/bugs?format=csv')
    assert.deepEqual([answer.status, answer.headers.get('x-robots-tag')], [200, 'noindex, nofollow, noarchive'])
  })

  it('take a format after access is decided, and leave JSON as it is', async ({ alice, anonymous }) => {
    await alice.bugs.create({ title: 'Slow', description: 'D', severity: 'low' })
    const path = '/api/community/bugs'
    const plain = await read(anonymous, path)
    for (const accept of [
      '*/*',
      'application/json',
      'application/json, text/csv',
      'text/html',
      'text/csv;q=0',
      'nonsense',
    ])
      assert.equal((await read(anonymous, path, { Accept: accept })).text, plain.text, accept)
    assert.equal((await read(anonymous, `${path}?format=json`, { Accept: 'text/csv' })).text, plain.text)
    assert.equal(plain.headers.get('vary'), 'Cookie, Authorization')
    const csv = (await read(anonymous, `${path}?format=csv`)).text
    assert.equal((await read(anonymous, path, { Accept: 'text/csv' })).text, csv)
    const lines = (await read(anonymous, `${path}?format=jsonl`)).text
    for (const accept of ['application/jsonl', 'application/x-ndjson, */*', 'application/ndjson'])
      assert.equal((await read(anonymous, path, { Accept: accept })).text, lines)
    for (const format of ['xml', '', 'CSV', '__proto__']) {
      const answer = await anonymous.request(withQuery(path, { format }))
      assert.equal(answer.status, 400, format)
      assert.match(await answer.text(), /format: must be one of json, csv, jsonl/)
    }
    assert.equal((await anonymous.request('/api/community/admin/audit?format=xml')).status, 401)
    // What is no list knows no format.
    const { id } = await alice.account()
    const one = await alice.request(`/api/community/me?format=csv`, { headers: { Accept: 'text/csv' } })
    assert.equal((await one.json()).id, id)
    const head = await anonymous.request(`${path}?format=csv`, { method: 'HEAD' })
    assert.equal(head.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
  })

  it('have no cell that runs as a formula, and keep filters', async ({ alice, anonymous }) => {
    const titles = ['=1+1', '+1', '-1', '@SUM(A1)', 'a "b", c; d', "'=quoted", '＝ full', 'a,;=1+1', 'a; "@b"', 'line']
    for (const title of titles)
      await alice.bugs.create({
        title,
        description: 'Two\nlines,\r\n"all"\n=HYPERLINK("https://evil.example")\n- one\n  + two;\t"-three',
        severity: title === 'line' ? 'high' : 'low',
      })
    const { text } = await read(anonymous, '/api/community/bugs?format=csv&severity=low')
    assertNoFormula(text)
    const rows = rowsIn(text)
    assert.deepEqual(
      new Set(rows.map(({ title }) => title)),
      new Set(["'=1+1", "'+1", "'-1", "'@SUM(A1)", 'a "b", c; d', "'=quoted", '＝ full', "a,;'=1+1", `a; "'@b"`]),
    )
    for (const { description } of rows)
      assert.match(description ?? '', /^Two\nlines,\r?\n"all"\n'=HYPERLINK\(.*\)\n'- one\n {2}'\+ two;\t"'-three$/)
    assert.ok(rows.every(({ severity, authorUsername }) => severity === 'low' && authorUsername === ''))
  })

  it('have 10,000 rows, and lead to the rest', async (world) => {
    const { anonymous } = world
    const path = '/api/community/labels'
    await addLabels(world, 0, MAX_ROWS)
    const all = await read(anonymous, `${path}?format=csv`)
    assert.equal(rowsIn(all.text).length, MAX_ROWS)
    assert.equal(all.next, undefined)
    await addLabels(world, MAX_ROWS, MAX_ROWS + 1)
    for (const [query, headers] of [
      ['?format=csv', {}],
      ['', { Accept: 'text/csv' }],
    ] as const) {
      const first = await read(anonymous, path + query, headers)
      const names = rowsIn(first.text).map(({ name }) => name!)
      assert.equal(names.length, MAX_ROWS)
      const rest = await read(anonymous, first.next!, headers)
      names.push(...rowsIn(rest.text).map(({ name }) => name!))
      assert.equal(new Set(names).size, MAX_ROWS + 1)
      assert.equal(rest.next, undefined)
    }
    const exposed = (await read(anonymous, `${path}?format=csv`)).headers.get('access-control-expose-headers')
    assert.match(exposed ?? '', /, Link$/)
  })

  it('end at the page that makes them long', async (world) => {
    const { anonymous } = world
    await fillChangelog(world, 950)
    const table = await read(anonymous, '/api/community/changelog?format=jsonl')
    assert.ok(table.text.length >= MAX_CHARACTERS && table.text.length < MAX_CHARACTERS + 1_200_000)
    const found = linesIn(table.text)
    assert.equal(found.length % 100, 0)
    found.push(...linesIn((await read(anonymous, table.next!)).text))
    assert.equal(new Set(found.map(({ id: one }) => one)).size, 950)
  })

  it('are one page where a page is asked for, and lead to the next one', async (world) => {
    const { anonymous } = world
    await addLabels(world, 0, 5)
    for (const start of ['per_page=2', 'page=0&per_page=2', 'cursor=&per_page=2']) {
      const names: string[] = []
      let path: string | undefined = `/api/community/labels?${start}&format=csv`
      let pages = 0
      while (path) {
        const page: Awaited<ReturnType<typeof read>> = await read(anonymous, path)
        names.push(...rowsIn(page.text).map(({ name }) => name!))
        path = page.next
        pages++
      }
      assert.deepEqual([pages, new Set(names).size, names.length], [3, 5, 5], start)
    }
  })

  it('use up what each of their pages does, and end there', async (world) => {
    await addLabels(world, 0, 250)
    const { accessToken } = await agentOf(world, world.alice, {
      more: { authorization_details: JSON.stringify([{ type: 'guildhall_bounds', calls: 3 }]) },
    })
    const path = '/api/community/labels?format=csv'
    const agent = bearing(world, accessToken)
    // One call for a page, and two for what is left of the list.
    const first = await read(agent, `${path}&per_page=50`)
    assert.equal(rowsIn(first.text).length, 50)
    const part = await read(agent, path)
    assert.equal(rowsIn(part.text).length, 200)
    assert.match(part.headers.get('ratelimit') ?? '', /r=0/)
    assert.equal((await agent.request(part.next!)).status, 429)
  })

  it('are read with one proof of a key, and several at once', async (world) => {
    await addLabels(world, 0, 250)
    const key = await newKey()
    const { access_token: token } = await boundTokens(world, key)
    const answer = await keyHolder(world, key).call(token, { path: '/api/community/labels?format=csv' })
    assert.equal(answer.status, 200)
    assert.equal(rowsIn(decoder.decode(await answer.arrayBuffer())).length, 250)
    const path = '/api/community/labels?format=jsonl'
    const asked = await Promise.all(Array.from({ length: 8 }, () => read(world.alice, path)))
    for (const { text } of asked) assert.equal(linesIn(text).length, 250)
  })
})

onEveryEngine(
  'large tables',
  (it) => {
    it('are sent while all that are on their way fit', async (world) => {
      const { anonymous } = world
      await fillChangelog(world, 901)
      const path = '/api/community/changelog?format=jsonl'
      const waiting: Response[] = []
      let refused: Response | undefined
      while (!refused && waiting.length < 40) {
        const answer = await anonymous.request(path)
        if (answer.status === 200) waiting.push(answer)
        else refused = answer
      }
      const size = Number(waiting[0]!.headers.get('content-length'))
      assert.equal(refused?.status, 503)
      assert.equal(refused.headers.get('retry-after'), '10')
      assert.equal(waiting.length, Math.ceil(MAX_SENT_BYTES / size))
      // A page of its size, and a short table, are sent all the same.
      assert.equal((await anonymous.request(`${path}&per_page=100`)).status, 200)
      assert.equal((await anonymous.request('/api/community/bugs?format=csv')).status, 200)
      assert.equal((await anonymous.request(path, { method: 'HEAD' })).status, 503)
      const [one, another] = waiting
      await one!.body!.cancel()
      assert.equal((await another!.arrayBuffer()).byteLength, size)
      assert.equal(Buffer.byteLength((await read(anonymous, path)).text), size)
      for (const { body } of waiting.slice(2)) await body!.cancel()
    })
  },
  // A process counts what it sends.
  { TEST_PROCESSES: '1' },
)

describe('tables', () => {
  test('that a client does not wait for take no room', (t) =>
    listening(t, async (world) => {
      await fillChangelog(world, 901)
      const url = `${world.dependencies.config.baseUrl}/api/community/changelog?format=jsonl`
      // More than there is room for: each has 901 entries of 20,000 bytes.
      for (let n = 0; n <= Math.ceil(MAX_SENT_BYTES / 18_000_000); n++) {
        const giveUp = new AbortController()
        const answer = await fetch(url, { signal: giveUp.signal })
        assert.equal(answer.status, 200, `table ${n}`)
        giveUp.abort()
      }
    }))

  test('are not taken for the JSON of the same address that is cached', (t) =>
    listening(t, async ({ dependencies: { config } }) => {
      const url = `${config.baseUrl}/api/community/labels`
      for (let n = 0; n < 2; n++) {
        const json = await fetch(url)
        assert.match(json.headers.get('content-type') ?? '', /^application\/json/)
        await json.text()
        const csv = await fetch(url, { headers: { Accept: 'text/csv' } })
        assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/)
        assert.equal(await csv.text(), 'id,name,color,description\r\n')
      }
    }))

  test('count once, also where their client hangs up at their end', async () => {
    const sent = new TablesSent()
    const bytes = new Uint8Array(MAX_SENT_BYTES / 10)
    const PIECE = 64 * 1024
    for (let n = 0; n < 10; n++) {
      const reader = new Response(sent.bodyOf(bytes, '203.0.113.7')).body!.getReader()
      for (let read = 0; read < bytes.byteLength - PIECE; ) read += (await reader.read()).value!.byteLength
      // The last piece is made when the one before it was taken.
      await new Promise((resolve) => setImmediate(resolve))
      await reader.cancel()
    }
    sent.requireRoom('203.0.113.7')
    const held = Array.from({ length: 11 }, (_, n) => {
      sent.requireRoom(`198.51.${n}.7`)
      return new Response(sent.bodyOf(bytes, `198.51.${n}.7`))
    })
    assert.throws(() => sent.requireRoom('203.0.113.7'), { code: 'unavailable' })
    for (const { body } of held) await body!.cancel()
    sent.requireRoom('203.0.113.7')
  })

  test('guard what begins a formula, and no number', () => {
    assert.equal(csvLine(['=1', '+1', '-1', '@a', '\tx', '\rx', '\nx']), "'=1,'+1,'-1,'@a,'\tx,\"'\rx\",\"'\nx\"\r\n")
    assert.equal(csvLine([-1, 1.5, true, null, undefined, '', ' a', '"']), '-1,1.5,true,,,," a",""""\r\n')
    assert.equal(csvLine(['\ud800']), '\ufffd\r\n')
    assert.equal(csvLine(['a;=1', 'a; +1', 'a;"-1"', 'a\t@b', '\t=1']), `a;'=1,a; '+1,"a;""'-1""",a\t'@b,'\t'=1\r\n`)
    assert.equal(csvLine(['a=1', 'b-c; d+e', 'x - y', -1]), 'a=1,b-c; d+e,x - y,-1\r\n')
  })

  test('are preferred by weight, and named types before ranges', () => {
    assert.equal(tableIn('text/csv, */*'), 'csv')
    assert.equal(tableIn('TEXT/CSV;q=0.5, application/jsonl;q=0.6'), 'jsonl')
    assert.equal(tableIn('text/csv;q=0.5, application/json'), undefined)
    assert.equal(tableIn('text/csv;q=2'), undefined)
    assert.equal(tableIn('text/csv;q=0.2, */*;q=0.1'), 'csv')
    assert.equal(tableIn(undefined), undefined)
  })
})
