// What an import takes of GitHub's answers.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  breakEachValue,
  breakOff,
  filesOf,
  fixturesOf,
  readRecords,
  refused,
  sourceFile,
} from '../../../test/imports.ts'
import { read } from './github.ts'

const all = fixturesOf('github')
const rest = Object.fromEntries(Object.entries(all).filter(([name]) => !/graphql|gh\./.test(name)))
const only = (name: string) => filesOf({ [name]: all[name]! })
const issues = JSON.parse(all['issues.json']!)

describe('answers of the REST API', () => {
  it('give issues with their kind, state, labels and author', async () => {
    const { things, people, labels } = await readRecords(read, filesOf(rest))
    assert.deepEqual(
      things.map(({ number, kind, state, stateWords, author }) => [number, kind, state, stateWords, author]),
      [
        [1, 'bug', 'open', undefined, 'mona'],
        [2, 'feature', 'declined', 'closed as not_planned', 'hubot'],
        [3, 'bug', 'done', 'closed as completed', undefined],
        [4, 'bug', 'done', 'closed', undefined],
        [5, 'bug', 'declined', 'closed as duplicate', 'mona'],
        [6, 'feature', 'open', undefined, 'mona'],
        [8, 'bug', 'open', undefined, 'dependabot[bot]'],
      ],
    )
    const [first, second] = things
    assert.equal(first?.id, 'octo/forge#1')
    assert.equal(first?.url, 'https://github.com/octo/forge/issues/1')
    assert.equal(first?.createdAt, '2023-05-02T10:00:00.000Z')
    assert.deepEqual(first?.labels, ['bug', 'good first issue', 'milestone: v1.0'])
    assert.match(first!.text, /See #2 and octo\/other#7\.\s+!\[screen\]\(https:\/\/github.com\/user-attachments/)
    assert.deepEqual([first?.isLocked, second?.isLocked], [undefined, true])
    assert.deepEqual(people.find(({ id }) => id === 'dependabot[bot]')?.isBot, true)
    assert.equal(labels.find(({ name }) => name === 'bug')?.color, '#d73a4a')
    assert.ok(labels.some(({ name }) => name === 'wontfix'))
    assert.equal(labels.find(({ name }) => name === 'milestone: v1.0')?.description, 'First release')
  })

  it('give comments and votes, and say what is left out', async () => {
    const { comments, votes, leftOut } = await readRecords(read, filesOf(rest))
    assert.deepEqual(
      comments.map(({ id, thing, author, updatedAt }) => [id, thing, author, updatedAt?.slice(0, 10)]),
      [
        ['issuecomment-11', 'octo/forge#1', 'hubot', '2023-05-10'],
        ['issuecomment-12', 'octo/forge#1', 'mona', '2023-05-11'],
        ['issuecomment-13', 'octo/forge#1', undefined, '2023-05-10'],
      ],
    )
    assert.deepEqual(
      votes.map(({ thing, person, value }) => [thing, person, value]),
      [
        ['octo/forge#1', 'hubot', 1],
        ['octo/forge#1', 'octavia', -1],
      ],
    )
    assert.deepEqual(leftOut, {
      assignees: 2,
      'pull requests': 1,
      'comments of pull requests': 1,
      'comments of things that are not there': 1,
      'reactions to comments': 2,
      'reactions that are no votes': 1,
      'votes of deleted accounts': 1,
      'votes whose voters are not in the files': 1,
    })
  })

  it('may be in any order, and in any of the forms that gh prints', async () => {
    const expected = (await readRecords(read, filesOf(rest))).things
    const [first, ...others] = issues
    const forms = {
      'an array for each page': `${JSON.stringify([first])}${JSON.stringify(others)}`,
      'an array of pages': JSON.stringify([[first], others]),
      lines: issues.map((issue: unknown) => JSON.stringify(issue)).join('\n'),
      'a byte order mark': `\ufeff${JSON.stringify(issues)}`,
    }
    for (const [form, text] of Object.entries(forms)) {
      const { things, comments } = await readRecords(read, [...only('comments.json'), sourceFile('i.json', text, 7)])
      assert.deepEqual(things, expected, form)
      assert.equal(comments.length, 3, form)
    }
  })

  it('have the kind of the options where neither type nor labels say one', async () => {
    const { things } = await readRecords(read, only('issues.json'), { kind: 'post' })
    assert.deepEqual(
      things.map(({ kind }) => kind),
      ['bug', 'feature', 'post', 'post', 'post', 'feature', 'bug'],
    )
  })

  it('have reactions only in files that are named after an issue', async () => {
    const reactions = all['reactions-1.json']!
    const named = (name: string) =>
      readRecords(read, filesOf({ 'issues.json': all['issues.json']!, [name]: reactions }))
    assert.equal((await named('issues/1/reactions.json')).votes.length, 2)
    assert.equal((await named('reactions.json')).leftOut['reactions of files whose name has no number of an issue'], 4)
    assert.equal((await named('comments-1-reactions.json')).votes.length, 0)
    const other = all['issues.json']!.replaceAll('octo/forge', 'octo/anvil')
    const two = await readRecords(read, filesOf({ a: all['issues.json']!, b: other, 'r1.json': reactions }))
    assert.equal(two.things.length, 14)
    assert.equal(two.votes.length, 0)
  })
})

describe('answers of the GraphQL API', () => {
  it('give issues and discussions with their comments, answers and votes', async () => {
    const { things, comments, votes, people, leftOut } = await readRecords(read, only('graphql.json'))
    assert.deepEqual(
      things.map(({ id, kind, state, stateWords, labels, isLocked, isPinned }) => ({
        id,
        kind,
        state,
        stateWords,
        labels,
        isLocked,
        isPinned,
      })),
      [
        {
          id: 'octo/forge#21',
          kind: 'bug',
          state: 'done',
          stateWords: 'closed as completed',
          labels: ['performance', 'milestone: v1.0'],
          isLocked: true,
          isPinned: true,
        },
        {
          id: 'octo/forge#22',
          kind: 'bug',
          state: 'open',
          stateWords: undefined,
          labels: [],
          isLocked: undefined,
          isPinned: undefined,
        },
        {
          id: 'octo/forge#23',
          kind: 'post',
          state: 'done',
          stateWords: 'closed as resolved',
          labels: ['category: Q&A'],
          isLocked: undefined,
          isPinned: undefined,
        },
      ],
    )
    assert.equal(things[0]?.updatedAt, '2024-01-02T00:00:00.000Z')
    assert.deepEqual(
      comments.map(({ id, parent, isSolution }) => [id, parent, isSolution]),
      [
        ['issuecomment-31', undefined, undefined],
        ['discussioncomment-41', undefined, undefined],
        ['discussioncomment-43', 'discussioncomment-41', undefined],
        ['discussioncomment-42', undefined, true],
      ],
    )
    assert.equal(people.find(({ id }) => id === 'mona')?.name, 'Mona Lisa')
    assert.ok(people.some(({ id, isBot }) => id === 'dependabot[bot]' && isBot))
    assert.deepEqual(votes, [
      { type: 'vote', thing: 'octo/forge#21', person: 'hubot', value: 1, createdAt: '2024-01-03T00:00:00.000Z' },
    ])
    assert.deepEqual(leftOut, {
      assignees: 1,
      'reactions that are no votes': 1,
      'comments that the answer did not have': 2,
      'comments that were hidden as spam, abuse or off-topic': 1,
      'votes whose voters are not in the files': 5,
    })
  })

  it('are refused if they are an error', async () => {
    const text = '{"data": null, "errors": [{"message": "Bad credentials"}]}'
    assert.match(
      await refused(read, filesOf({ 'a.json': text })),
      /^a\.json, record 1, line 1: expected answers of GitHub/,
    )
    const rest = '{"message": "Not RawRecord", "documentation_url": "https://docs.github.com/rest", "status": "404"}'
    assert.match(await refused(read, filesOf({ 'a.json': rest })), /^a\.json, record 1/)
  })
})

describe('what gh issue list --json prints', () => {
  it('has the same ids as the other forms', async () => {
    const { things, comments, people, leftOut } = await readRecords(read, only('gh.json'))
    assert.deepEqual([things[0]?.id, things[0]?.kind, things[0]?.state], ['octo/forge#31', 'feature', 'open'])
    assert.deepEqual(things[0]?.labels, ['enhancement', 'milestone: v1.0'])
    assert.deepEqual([comments[0]?.id, comments[0]?.author], ['issuecomment-51', 'renovate[bot]'])
    assert.deepEqual(
      people.map(({ id, isBot }) => [id, isBot]),
      [
        ['mona', undefined],
        ['renovate[bot]', true],
      ],
    )
    assert.deepEqual(leftOut, {
      'pull requests': 1,
      'reactions that are no votes': 1,
      'votes whose voters are not in the files': 2,
    })
  })
})

describe('hostile files', () => {
  it('give records within the bounds, or are refused, whichever value is wrong', async () => {
    assert.ok((await breakEachValue(read, rest)) > 600)
    for (const name of ['graphql.json', 'gh.json']) await breakEachValue(read, { [name]: all[name]! })
  })

  it('are refused where they break off', () => breakOff(read, { 'issues.json': all['issues.json']! }))

  it('have long texts cut, and ids that come twice left out', async () => {
    const [first] = issues
    const long = { ...first, number: 900, url: undefined, html_url: undefined, body: '💥'.repeat(200_000) }
    const text = JSON.stringify([first, first, long])
    const { things, leftOut } = await readRecords(read, filesOf({ 'i.json': text }))
    assert.equal(things[1]?.text.length, 262_144)
    assert.equal(things[1]?.id, '#900')
    assert.equal(leftOut['ends of texts of more than 262144 characters'], 1)
    assert.equal(leftOut['things whose id came before'], 1)
  })

  it('name the file and the place', async () => {
    const wrong = `${JSON.stringify(issues[0])}\n{"number": 1, "title": tru}`
    assert.equal(await refused(read, filesOf({ 'i.json': wrong })), 'i.json, record 2, line 2: this is not JSON')
    assert.match(await refused(read, filesOf({ 'i.json': '' })), /nothing/)
    assert.match(await refused(read, filesOf({ 'i.json': '[' })), /ends in the middle/)
    assert.match(await refused(read, []), /expected files/)
    assert.match(await refused(read, [sourceFile('i.json', Buffer.from('[]', 'utf16le'))]), /i\.json/)
    assert.match(await refused(read, [sourceFile('i.json', Buffer.from('\ufeff[]', 'utf16le'))]), /UTF-16/)
    assert.match(await refused(read, [sourceFile('i.json', Buffer.from([0x22, 0xff, 0x22]))]), /expected UTF-8/)
    assert.match(await refused(read, filesOf({ 'i.json': `{"a":${'['.repeat(100)}` })), /64 values deep/)
    assert.match(await refused(read, filesOf({ 'i.json': `${'['.repeat(10)}${']'.repeat(10)}` })), /arrays/)
    assert.match(await refused(read, filesOf({ 'i.json': '{"a": 1}' })), /expected answers of GitHub/)
    assert.match(
      await refused(read, filesOf({ 'i.json': `"${'x'.repeat(33 * 1024 * 1024)}"` })),
      /at most 33554432 bytes/,
    )
  })

  it('know people by the number of their account, and by nothing else that is called an id', async () => {
    const idOf = async (user: object) => {
      const text = JSON.stringify([{ ...issues[0], user: { login: 'weaver', ...user } }])
      const { people } = await readRecords(read, filesOf({ 'i.json': text }))
      return people.find(({ id }) => id === 'weaver')?.accountId
    }
    assert.equal(await idOf({ id: 583231 }), '583231')
    assert.equal(await idOf({ id: 'U_kgDOAAjmPw', databaseId: 583231 }), '583231')
    assert.equal(await idOf({ id: 'U_kgDOAAjmPw' }), undefined)
    assert.equal(await idOf({}), undefined)
  })

  it('have objects where texts are expected, even such that have no text', async () => {
    const odd = { toString: null, valueOf: null }
    const comment = { ...JSON.parse(all['comments.json']!)[0], html_url: odd }
    const text = JSON.stringify([{ ...issues[0], html_url: odd, url: odd }, comment])
    const { things, leftOut } = await readRecords(read, filesOf({ 'i.json': text }))
    assert.deepEqual([things[0]?.id, things[0]?.url], ['#1', undefined])
    assert.equal(leftOut['comments of things that are not there'], 1)
  })

  it('do not stop what comes after a record of an unknown form', async () => {
    const { things, leftOut } = await readRecords(
      read,
      filesOf({ 'i.json': JSON.stringify([...issues, { a: 1 }, null, 7, 'x', issues[0]]) }),
    )
    assert.equal(things.length, 7)
    assert.equal(leftOut['entries of an unknown form'], 4)
  })
})
