// What an import takes of a table.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { breakOff, filesOf, fixturesOf, readRecords, refused, sourceFile } from '../../../test/imports.ts'
import { columnsOf, read } from './csv.ts'

const fixtures = fixturesOf('csv')
const tracker = filesOf({ 'tracker.csv': fixtures['tracker.csv']! })
const now = '2026-01-02T03:04:05.000Z'
const table = (text: string) => filesOf({ 'a.csv': text })

describe('a table', () => {
  it('gives things with the columns that are guessed', async () => {
    const { things, people } = await readRecords(read, tracker, { now })
    assert.deepEqual(
      things.map(({ id, kind, state, stateWords, severity, labels, author, createdAt }) => [
        id,
        kind,
        state,
        stateWords,
        severity,
        labels,
        author,
        createdAt,
      ]),
      [
        [
          'FORGE-1',
          'bug',
          'in_progress',
          'In Progress',
          'critical',
          ['ui', 'crash'],
          'mona@example.com',
          '2023-05-01T10:00:00.000Z',
        ],
        ['FORGE-2', 'feature', 'declined', "Won't Fix", 'low', [], 'mona@example.com', '2023-05-05T10:00:00.000Z'],
        ['FORGE-3', 'post', 'done', 'Done', undefined, ['ui'], 'hubot', '2023-05-03T00:00:00.000Z'],
        ['FORGE-4', 'bug', 'planned', 'Backlog', 'medium', [], undefined, now],
      ],
    )
    const [first, second, third] = things
    assert.equal(first?.title, 'Crash, at the start')
    assert.match(first!.text, /^It says "no"\.\nSee FORGE-2 and #7\.\n\n!\[screen\]/)
    assert.equal(first?.updatedAt, '2023-06-01T10:00:00.000Z')
    assert.equal(second?.title, '=HYPERLINK("https://evil.example";"x")')
    assert.equal(second?.url, undefined)
    assert.equal(third?.title, 'Ein Fenster 5" breit 💥')
    assert.deepEqual(
      people.map(({ id, username, email }) => [id, username, email]),
      [
        ['mona@example.com', 'Mona Lisa', 'mona@example.com'],
        ['hubot', 'hubot', undefined],
      ],
    )
  })

  it('says what it leaves out', async () => {
    const { leftOut } = await readRecords(read, tracker, { now })
    assert.deepEqual(leftOut, {
      'rows with more or fewer cells than columns': 1,
      'rows without a title and a text': 1,
      'things whose createdAt cannot be read': 1,
      'things whose id came before': 1,
      'votes whose voters are not in the files': 12,
      'cells of the column Sprint, which is no field': 1,
    })
  })

  it('leaves things without a time out, unless a time is given for them', async () => {
    const { things, leftOut } = await readRecords(read, tracker)
    assert.equal(things.length, 3)
    assert.equal(leftOut['things whose createdAt cannot be read'], 2)
  })

  it('may have semicolons or tabs, a byte order mark and other line breaks', async () => {
    const [thing] = (await readRecords(read, filesOf({ 'a.csv': fixtures['semicolons.csv']! }))).things
    assert.deepEqual([thing?.id, thing?.number, thing?.title, thing?.author], ['7', 7, 'Suche; langsam', 'Jörg'])
    assert.equal(thing?.text, 'Zeile eins\r\nZeile zwei')
    const tabs = await readRecords(read, table('title\tcreated at\tvotes\nA, or B\t2024-01-01\t1\n'))
    assert.equal(tabs.things[0]?.title, 'A, or B')
    assert.match(tabs.things[0]?.id ?? '', /^row [\w-]{43}$/)
  })

  it('has the columns that are said, and the kind that is said', async () => {
    const text = 'Was,Wann,title\nEin Fehler,2024-01-01,kein Titel\n'
    const columns = { title: 'Was', createdAt: 'Wann' }
    const { things, leftOut } = await readRecords(read, table(text), { columns, kind: 'feature' })
    assert.deepEqual([things[0]?.title, things[0]?.kind], ['Ein Fehler', 'feature'])
    assert.deepEqual(leftOut, { 'cells of the column title, which is no field': 1 })
    assert.match(
      await refused(read, table(text), { columns: { title: 'Wer' } }),
      /no column Wer; there are Was, Wann, title/,
    )
    assert.match(await refused(read, table(text), { columns: { colour: 'Was' } }), /colour is no field/)
    assert.match(await refused(read, table(text), { columns: { __proto__x: 'Was' } }), /is no field/)
  })

  it('takes a column for one field only', () => {
    const fields = columnsOf(['ID', 'Name', 'Created_At', 'TAGS', 'Status'], { title: 'Name' })
    assert.deepEqual(
      [...fields],
      [
        ['title', 1],
        ['id', 0],
        ['state', 4],
        ['labels', 3],
        ['createdAt', 2],
      ],
    )
  })
})

describe('hostile tables', () => {
  it('are refused with the file and the place', async () => {
    assert.match(
      await refused(read, table('title,created\nA,2024-01-01\n"B,2024-01-01\n')),
      /^a\.csv, after row 1: a quoted cell does not end/,
    )
    assert.match(await refused(read, table(`title\n"${'x'.repeat(5_000_000)}\n`)), /at most 4194304 bytes/)
    assert.match(await refused(read, table('')), /there is nothing/)
    assert.match(
      await refused(read, table('a,b\n1,2\n')),
      /^a\.csv, row of the columns: expected a table in CSV with a column of titles/,
    )
    assert.match(await refused(read, table(`${'a,'.repeat(2_000)}\n`)), /at most 1000 columns/)
    assert.match(await refused(read, [sourceFile('a.csv', Buffer.from('title\nä', 'latin1'))]), /UTF-8/)
  })

  it('break off anywhere, and have any names of columns', async () => {
    await breakOff(read, { 'tracker.csv': fixtures['tracker.csv']! })
    const names = ['__proto__', 'constructor', 'title', 'created', 'title']
    const { things } = await readRecords(read, table(`${names}\n1,2,3,2024-01-01,5\n`))
    assert.equal(things[0]?.title, '3')
  })

  it('have controls and halves of characters taken out, and long texts cut', async () => {
    const text = `title,text,author,labels,created\n\u0007a\u0000b,${'ä'.repeat(300_000)},"x\ny\u202e","${'l,'.repeat(10)}${Array.from({ length: 300 }, (_, at) => at)}",2024-01-01\n`
    const { things, people, leftOut } = await readRecords(read, table(text))
    assert.equal(things[0]?.title, 'ab')
    assert.equal(things[0]?.text.length, 262_144)
    assert.equal(things[0]?.labels.length, 200)
    assert.deepEqual(
      people.map(({ id }) => id),
      ['x y'],
    )
    assert.equal(leftOut['labels of things with more than 200'], 1)
  })

  it('are read row by row', async () => {
    let pieces = 0
    const file = {
      name: 'long.csv',
      async *read() {
        yield Buffer.from('title,created\n')
        for (; pieces < 400; pieces++) yield Buffer.from('A title,2024-01-01\n'.repeat(1_000))
      },
    }
    for await (const record of read([file], {})) {
      assert.equal(record.type, 'thing')
      break
    }
    assert.ok(pieces < 40, `${pieces} pieces were read for one record`)
  })
})
